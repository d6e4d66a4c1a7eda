import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

/** A way to a server on loopback that breaks connections. */
export interface CuttingProxy {
  readonly url: string;
  /** How many connections there were. */
  connections(): number;
  close(): void;
}

/** Breaks each connection when so many bytes of answers have passed; later connections hold. */
export async function openCuttingProxy(target: string, cuts: readonly number[]): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  let count = 0;
  const server = createServer((client) => {
    let left = cuts[count++] ?? Number.POSITIVE_INFINITY;
    const backend = connect(Number(port), hostname);
    const end = () => {
      client.destroy();
      backend.destroy();
    };
    client.on("data", (chunk) => backend.write(chunk));
    backend.on("data", (chunk) => {
      client.write(chunk.subarray(0, left));
      left -= chunk.length;
      // What was written is sent before the connection ends.
      if (left <= 0) client.end(end);
    });
    for (const socket of [client, backend]) socket.on("error", end).on("close", end);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => count,
    close: () => void server.close(),
  };
}
