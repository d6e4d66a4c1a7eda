import { connect, type Socket } from "node:net";

/** What a reader got of a run's events. */
export interface ReadEvents {
  /** The numbers of the stored events, in the order in which they came. */
  readonly seqs: number[];
  /** How long after it happened, and at what time, each event was here. */
  readonly lateMs: number[];
  readonly arrivals: [string, number][];
  hasEnded: boolean;
}

/** A reader of a run's events on a plain socket, which costs little, so that a thousand of them measure the server and not themselves. */
export class EventReader {
  readonly read: ReadEvents = { seqs: [], lateMs: [], arrivals: [], hasEnded: false };
  readonly #address: URL;
  readonly #secret: string;
  readonly #runId: string;
  #socket: Socket | undefined;
  #rest = "";

  constructor(url: string, secret: string, runId: string) {
    this.#address = new URL(url);
    this.#secret = secret;
    this.#runId = runId;
  }

  /** Connects, and continues after the last event that it has. A stalled reader reads nothing until it is told to. */
  open({ isStalled = false } = {}): Promise<void> {
    const last = this.read.seqs.at(-1);
    this.#rest = "";
    return new Promise((resolve) => {
      const socket = connect(Number(this.#address.port), this.#address.hostname, () => {
        socket.write(
          `GET /v1/runs/${this.#runId}/events?deltas=false HTTP/1.1\r\nHost: ${this.#address.host}\r\n` +
            `Authorization: Bearer ${this.#secret}\r\nAccept: text/event-stream\r\n` +
            `${last === undefined ? "" : `Last-Event-ID: ${last}\r\n`}\r\n`,
        );
        if (!isStalled) socket.on("data", (part) => this.#take(part.toString("latin1")));
        resolve();
      });
      if (isStalled) socket.pause();
      socket.on("error", () => {});
      this.#socket = socket;
    });
  }

  /** Reads what is left of a stalled connection. */
  async drain(): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined) return;
    await new Promise<void>((resolve) => {
      socket.on("data", (part) => this.#take(part.toString("latin1"))).once("close", () => resolve());
      socket.resume();
    });
  }

  /** Resolves when the run has ended, or the connection has. */
  async closed(): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined || this.read.hasEnded || socket.destroyed) return;
    await new Promise<void>((resolve) => socket.once("close", () => resolve()));
  }

  close(): void {
    this.#socket?.destroy();
  }

  #take(text: string): void {
    const now = performance.timeOrigin + performance.now();
    const frames = (this.#rest + text).split("\n\n");
    this.#rest = frames.pop() ?? "";
    for (const frame of frames) {
      if (frame.includes("event: end")) {
        this.read.hasEnded = true;
        this.close();
        return;
      }
      const seq = /(?:^|\n)id: (\d+)\n/.exec(frame)?.[1];
      const [, id = "", at = ""] = /"id":"([^"]+)".*?"ts":(\d+)/.exec(frame) ?? [];
      if (seq === undefined) continue;
      this.read.seqs.push(Number(seq));
      this.read.lateMs.push(now - Number(at));
      if (this.read.arrivals.length < 100) this.read.arrivals.push([id, now]);
    }
  }
}
