/** Something said to everybody in a team. */
export interface TeamMessage {
  /** `diagnostic` stands in the place of a message that did not fit somebody's context. */
  readonly type: "update" | "failure" | "diagnostic";
  readonly memberId: string;
  readonly message: string;
  /** Turns that the member had taken. */
  readonly turnCount: number;
  readonly timestamp: string;
  /** Who hears it; everybody where absent. */
  readonly to?: readonly string[];
  /** From 1, in the order in which everybody hears it. */
  readonly seq: number;
}
