import { measurePeers, missingPeers } from "./measure-peers.ts";

/** `node bench/peers/measure.ts`: the figures of all installed peers, and who is not installed, as JSON. */
console.log(
  JSON.stringify({ node: process.version, peers: await measurePeers(), notInstalled: missingPeers() }, null, 2),
);
