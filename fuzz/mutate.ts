/** Numbers that look random and follow from a seed, so that a failure can be had again (mulberry32). */
export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

const pieces = [
  ..."[]{}:,-#&*!|>'\"%@`?\t\n \u0000\ufeff\u2028",
  ...[
    "---",
    "...",
    "null",
    "~",
    "true",
    "-1",
    "1e999",
    "0x",
    "[[",
    "]]",
    "{{",
    "}}",
    "<<: *a",
    "&a ",
    "*a",
    "!!binary ",
    "? ",
    ": ",
  ],
  ...[
    "[END]",
    "[ end ]",
    "[]",
    "../..",
    "/etc/passwd",
    "__proto__: 1",
    "constructor",
    "auto",
    "\r\n",
    "\ud800",
    "ế",
    "e\u0302\u0301",
  ],
  ...[
    "agents:",
    "version:",
    "routing:",
    "signals:",
    "handoff:",
    "team:",
    "router:",
    "sub_crews:",
    "settings:",
    "tools:",
  ],
];

/** One to four small damages to a text: what typing, merging and copying do to files. */
export function mutate(text: string, random: Random): string {
  let mutated = text;
  for (let damage = random(4); damage >= 0; damage--) mutated = damageOnce(mutated, random);
  return mutated;
}

function damageOnce(text: string, random: Random): string {
  const lines = text.split("\n");
  const line = random(lines.length);
  const at = random(text.length + 1);
  const damages: readonly (() => string)[] = [
    () => lines.toSpliced(line, 1).join("\n"),
    () => lines.toSpliced(line, 0, lines[random(lines.length)] ?? "").join("\n"),
    () => lines.with(line, `${" ".repeat(random(6))}${lines[line]}`).join("\n"),
    () => lines.with(line, (lines[line] ?? "").trimStart()).join("\n"),
    () => text.slice(0, at) + (pieces[random(pieces.length)] ?? "") + text.slice(at),
    () => text.slice(0, at) + text.slice(at + random(12)),
    () => text.slice(0, at) + text.slice(at, at + random(40)).repeat(1 + random(5)) + text.slice(at),
    () => text.slice(0, at),
    () => text.slice(0, at) + String.fromCharCode(random(65536)) + text.slice(at + 1),
    () => swapWords(text, random),
  ];
  return damages[random(damages.length)]?.() ?? text;
}

function swapWords(text: string, random: Random): string {
  const words = text.split(/(\W+)/);
  const [one, other] = [random(words.length), random(words.length)];
  return words
    .with(one, words[other] ?? "")
    .with(other, words[one] ?? "")
    .join("");
}
