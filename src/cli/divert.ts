/** Hands over what is written to a stream, until the returned function gives the stream back. */
export function divert(stream: NodeJS.WriteStream, onPrinted: (text: string) => void): () => void {
  const { write } = stream;
  stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    onPrinted(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
    const done = rest.at(-1);
    if (typeof done === "function") process.nextTick(done);
    return true;
  };
  return () => {
    stream.write = write;
  };
}
