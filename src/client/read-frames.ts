/** The server writes at least every 15 s. A connection that is silent for longer is dead, though nobody has said so. */
const SILENCE_MS = 45_000;

/** A frame of server-sent events. */
export interface Frame {
  readonly event: string | undefined;
  readonly data: string;
}

/** Reads the frames of an answer until it ends. A reader that leaves early closes the connection. */
export async function* readFrames({ body }: Response): AsyncGenerator<Frame> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await readInTime(reader);
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const whole = text.split("\n\n");
      text = whole.pop() ?? "";
      for (const frame of whole) yield parseFrame(frame);
    }
  } finally {
    // A connection that is broken already cannot be closed again.
    reader.cancel().catch(() => {});
  }
}

async function readInTime(reader: ReadableStreamDefaultReader<Uint8Array>) {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(new Error(`nothing came for ${SILENCE_MS / 1000} s`)), SILENCE_MS);
  try {
    return await Promise.race([reader.read(), silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A comment, such as a ping, is a frame without data. */
function parseFrame(frame: string): Frame {
  let event: string | undefined;
  let data = "";
  for (const line of frame.split("\n"))
    if (line.startsWith("data: ")) data += line.slice(6);
    else if (line.startsWith("event: ")) event = line.slice(7);
  return { event, data };
}
