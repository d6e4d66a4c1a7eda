import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PastRuns } from "../vocabulary/run-start.ts";
import { type Described, indexAgents } from "./index-agents.ts";
import { rankAgents } from "./rank-agents.ts";

const desk: readonly Described[] = [
  { id: "general", specialties: [] },
  {
    id: "billing",
    specialties: ["hóa đơn", "refund", "bank transfer", "退款"],
    description: "Answers questions about payments",
  },
  { id: "shipping", specialties: ["giao hàng", "parcel"], description: "Tracks deliveries" },
];

function rank(input: string, agents = desk, past: ReadonlyMap<string, PastRuns> = new Map()) {
  return rankAgents(indexAgents(agents), input, past);
}

function best(input: string, agents = desk): string | undefined {
  const [first] = rank(input, agents).ranked;
  return first === undefined || first.score === 0 ? undefined : first.agent;
}

describe("an agent is found", () => {
  it.each([
    ["by a word", "a refund please", "billing"],
    ["by another form of a word", "they refunded half, and keep refunding", "billing"],
    ["by a word of its description", "where are the deliveries", "shipping"],
    ["by a word that is derived from one", "can you deliver today", "shipping"],
    ["whatever the case", "REFUND", "billing"],
    ["by its id", "billing?", "billing"],
    ["by Vietnamese words", "Cho tôi xin hóa đơn", "billing"],
    ["wherever the tone stands", "Cho tôi xin hoá đơn", "billing"],
    ["in decomposed letters", "hóa đơn".normalize("NFD"), "billing"],
    ["without marks", "khi nao giao hang", "shipping"],
    ["by a word with one letter wrong", "a refumd", "billing"],
    ["by a word with two letters swapped", "my pacrel", "shipping"],
    ["in a script that sets no words apart", "我要退款", "billing"],
    ["by a word that lacks a letter", "my parcl", "shipping"],
  ])("%s", (_, input, agent) => {
    expect(best(input)).toBe(agent);
  });

  it.each([
    ["typed without marks, though each of its words may be one that says nothing", "dat ve may bay", "flights"],
    ["typed without marks within a sentence", "toi muon dat ve may bay di Hue", "flights"],
    ["with marks", "Đặt vé máy bay", "flights"],
    ["by a pair of such words alone", "may bay", "flights"],
    ["by a word with marks and one letter wrong", "chuyeng phat", "courier"],
    ["by another word of the same stem", "who translates this", "words"],
    ["by one word where the agent has two", "our website is down", "web"],
    ["by two words where the agent has one", "the note book", "machines"],
    ["by a part of a longer word", "Hotelzimmer", "rooms"],
    ["by a longer word whose part the agent has", "please fix the clock", "watches"],
  ])("in a folder of agents: %s", (_, input, agent) => {
    const described = (id: string, description: string) => ({ id, specialties: [], description });
    const folder = [
      described("general", "Chào và hỏi khách cần gì"),
      described("flights", "Hỗ trợ đặt vé máy bay"),
      described("courier", "Chuyển phát nhanh"),
      described("words", "Professional translation"),
      described("web", "Keeps the web site running"),
      described("machines", "Repairs notebooks"),
      described("rooms", "Reserves a hotel"),
      described("watches", "Clockmaker"),
    ];
    expect(best(input, folder)).toBe(agent);
  });

  it("not by a Vietnamese word that says nothing, typed without its marks", () => {
    const agents = ["a", "b"].map((id) => ({
      id,
      specialties: [],
      description: id === "a" ? "tickets" : "Mọi việc về thuế",
    }));
    expect(best("hỏi ve viec nay", agents)).toBeUndefined();
  });

  it("by two words in a row rather than by the same words apart", () => {
    const agents = [
      { id: "money", specialties: ["bank transfer"] },
      { id: "park", specialties: ["bank", "transfer"].map((word) => `river ${word}`) },
    ];
    expect(best("bank transfer", agents)).toBe("money");
  });

  it("by a word that few agents use rather than by one that all use", () => {
    const agents = ["a", "b", "c"].map((id) => ({
      id,
      specialties: ["help", "customers", id === "c" ? "tax" : "order"],
    }));
    expect(best("customers tax", agents)).toBe("c");
  });

  it("in a crew whose ids are in camel case", () => {
    expect(
      best("billing", [
        { id: "helpDesk", specialties: [] },
        { id: "billingAgent", specialties: [] },
      ]),
    ).toBe("billingAgent");
  });
});

it("is found by a word that mostly says nothing, where there is no other", () => {
  const agents = [
    { id: "a", specialties: [], description: "one" },
    { id: "b", specialties: [], description: "two" },
  ];
  expect(best("two", agents)).toBe("b");
});

describe("nobody is found", () => {
  it.each([
    ["", ""],
    ["in words that say nothing", "can you help me with this please, mình muốn hỏi"],
    ["in numbers and signs", "123 !!! ??? 👍"],
    ["where other marks make it another word", "hỏa đờn"],
    ["in an expression", "^(?:x+)+$ .*[0-9]{3}|"],
  ])("%s", (_, input) => {
    expect(best(input)).toBeUndefined();
    expect(rank(input).confidence).toBe(0);
  });
});

describe("the confidence", () => {
  it("is high where much fits one agent", () => {
    expect(rank("refund by bank transfer").confidence).toBeGreaterThan(0.9);
  });

  it("is never certain", () => {
    expect(rank("refund refund hóa đơn bank transfer payments").confidence).toBeLessThan(1);
  });

  it("is low where two agents say the same", () => {
    const twins = ["a", "b"].map((id) => ({ id, specialties: ["refund", "invoice", "payment"] }));
    expect(rank("refund invoice payment", twins)).toMatchObject({ ranked: [{ agent: "a" }, { agent: "b" }] });
    expect(rank("refund invoice payment", twins).confidence).toBeLessThan(0.4);
  });

  it("is lower the more of what is said is nobody's", () => {
    const all = ["refund", "a refund for my cousin", "a refund for my cousin who lives beside the old mill"];
    const [one = 0, two = 0, three = 0] = all.map((input) => rank(input).confidence);
    expect(one).toBeGreaterThan(two);
    expect(two).toBeGreaterThan(three);
  });
});

describe("past runs", () => {
  const twins = ["a", "b"].map((id) => ({ id, specialties: ["refund"] }));

  it("put the one ahead that did better, of two that fit alike", () => {
    const past = new Map([["b", { runs: 20, successes: 19 }]]);
    expect(rank("refund", twins, past).ranked[0]?.agent).toBe("b");
  });

  it("never put one ahead that fits much worse", () => {
    const past = new Map([
      ["billing", { runs: 1000, successes: 0 }],
      ["shipping", { runs: 1000, successes: 1000 }],
    ]);
    expect(rank("refund by bank transfer for the parcel", desk, past).ranked[0]?.agent).toBe("billing");
  });
});

it("takes any text, and ranks every agent once with a confidence from 0 to 1", () => {
  const index = indexAgents(desk);
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.lorem(), fc.constantFrom("hoàn tiền", "refund")),
      (input) => {
        const { ranked, confidence } = rankAgents(index, input, new Map());
        expect(ranked.map(({ agent }) => agent).sort()).toEqual(["billing", "general", "shipping"]);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThan(1);
        expect(rankAgents(index, input, new Map())).toEqual({ ranked, confidence, features: expect.anything() });
      },
    ),
  );
});

it("finds what is said at either end of a text of ten million letters", () => {
  const noise = "lorem ipsum ".repeat(900_000);
  expect(best(`refund ${noise}`)).toBe("billing");
  expect(best(`${noise} where is my parcel`)).toBe("shipping");
});
