import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The name that PostgreSQL gives its socket in a folder. */
const SOCKET = ".s.PGSQL.5432";

/** A way to a PostgreSQL server on which answers can be lost. */
export interface LossyProxy {
  readonly folder: string;
  /** The next answer is lost, and its connection with it. */
  loseAnswer(): void;
  close(): void;
}

export async function openLossyProxy(serverFolder: string): Promise<LossyProxy> {
  const folder = mkdtempSync(join(tmpdir(), "px-"));
  let isLosing = false;
  const server = createServer((client) => {
    const backend = connect(join(serverFolder, SOCKET));
    const end = () => {
      client.destroy();
      backend.destroy();
    };
    let isLost = false;
    client.on("data", (chunk) => {
      if (isLosing) {
        isLosing = false;
        isLost = true;
      }
      backend.write(chunk);
    });
    backend.on("data", (chunk) => (isLost ? end() : client.write(chunk)));
    for (const socket of [client, backend]) socket.on("error", end).on("close", end);
  });
  server.listen(join(folder, SOCKET));
  await once(server, "listening");
  return {
    folder,
    loseAnswer() {
      isLosing = true;
    },
    close: () => server.close(),
  };
}
