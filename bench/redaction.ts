import { createRedactor, type Redactor } from "../src/redaction/redactor.ts";
import { cpuPerCall, type Figure, median, type Report } from "./report.ts";

const ROUNDS = 5;
const MB = 1024 * 1024;
const STREAMED = 64 * 1024;

const clean: Readonly<Record<string, string>> = {
  prose: "The quick brown fox jumps over the lazy dog; nobody minds it very much, and the tale goes on: see below.\n",
  Vietnamese: "Trời hôm nay đẹp quá, chúng ta đi dạo quanh hồ rồi uống cà phê; mọi người đều vui vẻ.\n",
  code: 'export function readOrder({ id, lines }: Order): Total {\n  const found = lines.filter((line) => line.id === id && line.name !== "");\n',
  JSON: '{"id": 4711, "name": "Ada Lovelace", "tags": ["first", "second"], "active": true, "score": 12.5},\n',
};

/** Texts made to be as costly as can be: beginnings of secrets without end. */
const adversarial: Readonly<Record<string, string>> = {
  "sk-": "sk-",
  "sk-ant-": "sk-ant-",
  eyJ: "eyJ",
  "eyJ-": "eyJ-",
  "eyJ…": "eyJhbGciOiJIUzI1NiIs.",
  "-----BEGIN ": "-----BEGIN ",
  "-----BEGIN PRIVATE KEY-----": "-----BEGIN PRIVATE KEY-----\n",
  "password=": "password=",
  'password: "': 'password: "',
  "the token is a1": "token a1",
  "://": "x://",
  "[REDACTED:": "[REDACTED:",
  "=": "=",
  "a=": "a=",
  a: "a",
  "secrets all over": "password: Hunter22x ",
  "cookie: a=": "cookie:a=",
  "tokens as users": `https://${"sk-".repeat(80)}@ `,
};

/** Clean text against a bare search, in MB/s and as a ratio; hostile text, eight times as long. */
export function measure(): Report {
  const bare = createRedactor({});
  const many = createRedactor(
    Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`V${index}_KEY`, `${(index + 7) ** 9}-value-${index ** 7}`]),
    ),
  );
  return {
    figures: [
      ...Object.entries(clean).flatMap(([name, line]) => speeds(name, filled(line, MB), bare)),
      ...speeds("prose, 100 variables", filled(clean["prose"] ?? "", MB), many),
      streamSpeed(bare),
      ...Object.entries(adversarial).map(([name, piece]) => growth(name, piece, many)),
      slowest(many),
    ],
  };
}

function speeds(name: string, text: string, redactor: Redactor): Figure[] {
  const milliseconds = median(rounds(() => cpuPerCall(() => redactor.redact(text))));
  const floor = median(rounds(() => cpuPerCall(() => countBrackets(text))));
  const isTarget = name.startsWith("prose");
  return [
    {
      name: `clean ${name}`,
      value: text.length / MB / (milliseconds / 1000),
      unit: "MB/s",
      ...(isTarget && { target: { atLeast: 200 } }),
    },
    { name: `clean ${name}, over a search for brackets`, value: milliseconds / floor, unit: "× floor" },
  ];
}

function streamSpeed(redactor: Redactor): Figure {
  const text = filled(clean["prose"] ?? "", STREAMED);
  const milliseconds = median(
    rounds(() =>
      cpuPerCall(() => {
        const stream = redactor.createStream();
        for (let at = 0; at < text.length; at += 4) stream.push(text.slice(at, at + 4));
        stream.end();
      }),
    ),
  );
  return { name: "a chunk of 4 characters", value: (milliseconds * 1e6) / (STREAMED / 4), unit: "ns" };
}

function growth(name: string, piece: string, redactor: Redactor): Figure {
  const [long, short] = [filled(piece, MB), filled(piece, MB / 8)];
  const ratios = rounds(() => cpuPerCall(() => redactor.redact(long)) / cpuPerCall(() => redactor.redact(short)));
  return { name: `1 MB of ${name}`, value: median(ratios), unit: "× 128 KB", target: { atMost: 12 } };
}

function slowest(redactor: Redactor): Figure {
  const speedOf = (piece: string): number => 1000 / cpuPerCall(() => redactor.redact(filled(piece, MB)));
  return { name: "the slowest of these", value: Math.min(...Object.values(adversarial).map(speedOf)), unit: "MB/s" };
}

function countBrackets(text: string): number {
  let count = 0;
  for (let at = text.indexOf("["); at !== -1; at = text.indexOf("[", at + 1)) count++;
  return count;
}

function filled(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

function rounds(measureOnce: () => number): number[] {
  measureOnce();
  return Array.from({ length: ROUNDS }, measureOnce);
}
