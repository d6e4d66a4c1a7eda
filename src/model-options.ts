/** The models that a run was given in the place of the crew's own, as `--script` and `--model` name them. */
export interface ModelOptions {
  /** The file with the replies. */
  readonly script?: string;
  /** Names as `provider/model`, separated by commas. */
  readonly model?: string;
}
