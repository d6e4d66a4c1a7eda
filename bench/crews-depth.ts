import { join } from "node:path";
import { cpuInTurns } from "./cpu-in-turns.ts";
import { nestedCrew } from "./crews-crews.ts";

/** Prints what a level of crews takes at depth 1, and at depth 10. Its argument is a folder to write them to. */
const [, , scratch = ""] = process.argv;
const crews = await Promise.all([0, 1, 10].map((depth) => nestedCrew(join(scratch, `${depth}`), depth)));
const [, , deepest] = await Promise.all(crews.map((crew) => crew.run("go")));
if (deepest?.output !== "All done.") throw new Error(`the crews of the benchmark gave ${deepest?.output}`);
const [none = 0, one = 0, ten = 0] = await cpuInTurns(
  crews.map((crew) => () => crew.run("go")),
  500,
);
console.log(JSON.stringify([one - none, (ten - none) / 10]));
