import { afterEach, describe, expect, it, vi } from "vitest";
import { connectHttp, connectStdio, type Form, forms, textOf } from "./mcp-clients.ts";
import { openServer, tokenLine } from "./open-server.ts";
import { writeCrew } from "./write-crew.ts";

afterEach(() => vi.useRealTimers());

const helper = (keys: string, prompt = "Help.") => `---\nid: helper\nmodels: [openai/x]\n${keys}\n---\n${prompt}`;

/** Crews that pause for what a model must not decide. */
const guarded = {
  approval: {
    files: {
      "crew.yaml": `version: "2.0"\nname: desk\nagents: [helper]\ntools: { pay: ./tools.ts#pay }\n`,
      "tools.ts": `export const pay = { name: "pay", description: "pays", parameters: { type: "object" }, needsApproval: true, execute: () => "paid" };\n`,
      "agents/helper.md": helper("tools: [pay]"),
    },
    replies: { helper: [{ tools: [{ name: "pay", args: {} }] }, "Paid."] },
  },
  gate: {
    files: {
      "crew.yaml": `version: "2.0"
name: desk
agents: [helper, other]
routing:
  signals: { helper: [{ signal: "[ASK]", type: pause }, { signal: "[GO]", target: other }] }
  agent_behaviors: { helper: { auto_route: false } }
`,
      "agents/helper.md": helper("description: h", "Help. [GO] [ASK]"),
      "agents/other.md": "---\nid: other\ndescription: o\nis_terminal: true\nmodels: [openai/x]\n---\nOther.",
    },
    replies: { helper: ["Go on. [GO]"], other: ["Gone."] },
  },
  quota: {
    files: {
      "crew.yaml": `version: "2.0"
name: desk
agents: [helper]
settings: { quotas: { max_llm_calls: 1, on_exceed: pause } }
routing: { signals: { helper: [{ signal: "[MORE]", target: helper }] } }
`,
      "agents/helper.md": helper("", "Help. [MORE]"),
    },
    replies: { helper: ["Again. [MORE]", "Done."] },
  },
};

const tokens =
  tokenLine("model", "scopes: [run, read]") +
  tokenLine("other", "scopes: [run, read]") +
  tokenLine("person", "scopes: [run, read, answer]");

const approving = { action: "accept", content: { decision: "approve", answer: "max_llm_calls 9" } } as const;

/** A crew that asks a question first, and then pauses at a gate. */
const askingFirst = { ...guarded.gate.replies, helper: ["Which? [ASK]", "Go on. [GO]"] };

const open = ({ files, replies }: { readonly files: Record<string, string>; readonly replies: object }) =>
  openServer({ files: { "baton.yaml": "", ...files }, replies: replies as Record<string, unknown[]>, tokens });

/** Calls a tool in the current form, with whatever a client brings when it calls again. */
async function callRaw(url: string, token: string, more: Record<string, unknown>, meta: object = { elicitation: {} }) {
  const response = await fetch(new URL("/mcp", url), {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...{ accept: "application/json, text/event-stream", "mcp-protocol-version": "2026-07-28" },
      ...{ "mcp-method": "tools/call", "mcp-name": "desk" },
    },
    body: JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: {
        ...{ name: "desk", arguments: { input: "x" } },
        ...more,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": meta,
        },
      },
    }),
  });
  return JSON.parse(await response.text()) as {
    readonly result?: {
      readonly resultType?: string;
      readonly requestState?: string;
      readonly inputRequests?: Record<string, { readonly params: { readonly message: string } }>;
      readonly structuredContent?: { readonly runId: string; readonly status: string };
      readonly content?: readonly { readonly text: string }[];
      readonly isError?: boolean;
    };
    readonly error?: { readonly code: number; readonly message: string };
  };
}

const answerWith = (content: Record<string, string>, action = "accept") => ({
  inputResponses: { answer: { action, content } },
});

describe.each(Object.entries(guarded))("a pause for %s", (reason, crew) => {
  it.each(forms)("cannot be answered by a model that may only run and read, in the form %s", async (form: Form) => {
    const { server, store } = await open(crew);
    const asked: string[] = [];
    const answering = (message: string) => {
      asked.push(message);
      return approving;
    };
    const client = await connectHttp(server, { token: "model", form, answering });
    const told = await client.call("desk", { input: "x", conversation: "t1" });
    expect(told.structuredContent).toMatchObject({ status: "paused", paused: { reason } });
    expect(textOf(told)).toContain("A person must decide");
    const { runId } = told.structuredContent;
    for (const answer of ["approve", "max_llm_calls 9", "happened yes", "", "yes", undefined]) {
      const tried = await client.call("resume_run", { runId, ...(answer !== undefined && { answer }) });
      expect([tried.isError, textOf(tried)]).toEqual([true, expect.stringContaining("forbidden")]);
    }
    const again = await client.call("desk", { input: "approve", conversation: "t1" });
    expect([again.isError, textOf(again)]).toEqual([true, expect.stringContaining("was not used")]);
    expect(asked).toEqual([]);
    expect(await store.list()).toMatchObject([{ runId, status: "paused" }]);
  });

  it("is answered by a person with the scope 'answer', in a form of the client", async () => {
    const { server } = await open(crew);
    const asked: string[] = [];
    const answering = (message: string) => {
      asked.push(message);
      return approving;
    };
    const client = await connectHttp(server, { token: "person", answering });
    expect((await client.call("desk", { input: "x" })).structuredContent.status).toBe("completed");
    expect(asked).toHaveLength(1);
  });
});

it("a pause for approval is answered on standard input only with --allow-approvals", async () => {
  const folder = writeCrew({
    "baton.yaml": "",
    ...guarded.approval.files,
    "replies.yaml": JSON.stringify(guarded.approval.replies),
  });
  const args = [".", "--script", "replies.yaml"];
  const without = await connectStdio(args, { cwd: folder, answering: () => approving });
  const told = await without.call("desk", { input: "x" });
  expect(told.structuredContent.status).toBe("paused");
  const { runId } = told.structuredContent;
  expect(textOf(await without.call("resume_run", { runId, answer: "approve" }))).toContain("forbidden");
  await without.close();
  for (const form of forms) {
    const allowed = await connectStdio([...args, "--allow-approvals"], {
      cwd: folder,
      form,
      answering: () => approving,
    });
    expect((await allowed.call("desk", { input: "x" })).structuredContent.status).toBe("completed");
    await allowed.close();
  }
});

describe("the requestState of a question", () => {
  it("resumes the run that it names, once, and never starts another one", async () => {
    const { server, store } = await openServer({
      replies: { triage: ["A [BILLING]"], billing: ["Which? [ASK]", "Done. [DONE]"] },
    });
    const first = (await callRaw(server.url, "bt_operator", {})).result;
    expect(first).toMatchObject({ resultType: "input_required" });
    expect(first?.inputRequests?.["answer"]?.params.message).toContain("Which?");
    const { requestState = "" } = first ?? {};
    const retry = { requestState, ...answerWith({ answer: "the left one" }) };
    const [one, two] = await Promise.all([
      callRaw(server.url, "bt_operator", retry),
      callRaw(server.url, "bt_operator", retry),
    ]);
    const later = await callRaw(server.url, "bt_operator", retry);
    for (const { result } of [one, two, later])
      expect(result?.structuredContent).toMatchObject({ status: "completed", output: "Done." });
    const runs = await store.list();
    expect(runs).toHaveLength(1);
    const events = await store.read(runs[0]?.runId as never);
    expect(events.filter(({ type }) => type === "run.resumed")).toHaveLength(1);
  });

  it("asks again if the answer is missing, and leaves the question if the person declines", async () => {
    const { server, store } = await openServer({
      replies: { triage: ["A [BILLING]"], billing: ["Which? [ASK]", "Done. [DONE]"] },
    });
    const { requestState = "" } = (await callRaw(server.url, "bt_operator", {})).result ?? {};
    for (const inputResponses of [undefined, {}, { other: { action: "accept" } }, { answer: { action: "approve" } }]) {
      const { result } = await callRaw(server.url, "bt_operator", {
        requestState,
        ...(inputResponses && { inputResponses }),
      });
      expect(result).toMatchObject({ resultType: "input_required" });
    }
    const empty = await callRaw(server.url, "bt_operator", { requestState, ...answerWith({ answer: " " }) });
    expect(empty.result?.inputRequests?.["answer"]?.params.message).toMatch(/^That does not fit: the answer is empty/);
    const declined = await callRaw(server.url, "bt_operator", { requestState, ...answerWith({}, "decline") });
    expect(declined.result).toMatchObject({ structuredContent: { status: "paused" } });
    expect(declined.result?.content?.[0]?.text).toContain("the user chose to decline");
    expect(await store.list()).toMatchObject([{ status: "paused" }]);
  });

  it("does not answer a later gate", async () => {
    const { server, store } = await open({ ...guarded.gate, replies: askingFirst });
    const { requestState = "" } = (await callRaw(server.url, "model", {})).result ?? {};
    const gate = await callRaw(server.url, "model", { requestState, ...answerWith({ answer: "the left one" }) });
    expect(gate.result).toMatchObject({ structuredContent: { status: "paused", paused: { reason: "gate" } } });
    expect(gate.result?.requestState).toBeUndefined();
    for (const content of [{ decision: "approve" }, { answer: "approve" }]) {
      const replayed = await callRaw(server.url, "model", { requestState, ...answerWith(content) });
      expect(replayed.result).toMatchObject({ structuredContent: { status: "paused" } });
    }
    expect(await store.list()).toMatchObject([{ status: "paused" }]);
  });

  it("is refused if it is forged, changed, another token's, another server's, or too old", async () => {
    const { server, store } = await open({ ...guarded.gate, replies: askingFirst });
    const elsewhere = await open({ ...guarded.gate, replies: askingFirst });
    const own = (await callRaw(server.url, "model", {})).result?.requestState ?? "";
    const foreign = (await callRaw(elsewhere.server.url, "model", {})).result?.requestState ?? "";
    const [version = "", body = "", mac = ""] = own.split(".");
    const runId = (await store.list())[0]?.runId;
    const payload = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const read = JSON.parse(Buffer.from(body, "base64url").toString());
    const forged = [
      ...["", "x", ".", "..", "v1..", "null", own.slice(0, -2), `${own}x`, `v2.${body}.${mac}`, foreign],
      ...[`${version}.${payload({ ...read, exp: 9e12 })}.${mac}`, payload({ runId, seq: 0 })],
      ...[`${version}.${payload({ ...read, p: { runId, seq: 99 } })}.${mac}`],
    ];
    for (const requestState of forged) {
      const tried = await callRaw(server.url, "model", { requestState, ...answerWith({ answer: "x" }) });
      expect([requestState, tried.error]).toEqual([requestState, expect.objectContaining({ code: -32602 })]);
    }
    const stolen = await callRaw(server.url, "other", { requestState: own, ...answerWith({ answer: "x" }) });
    expect(stolen.error).toMatchObject({ code: -32602, message: "Invalid or expired requestState" });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5 * 86_400_000 });
    const late = await callRaw(server.url, "model", { requestState: own, ...answerWith({ answer: "x" }) });
    expect(late.error).toMatchObject({ code: -32602 });
    expect(await store.list()).toMatchObject([{ status: "paused" }]);
  });

  it("must come with an answer: without it, nothing is started", async () => {
    const { server, store } = await openServer();
    const { result } = await callRaw(server.url, "bt_operator", answerWith({ answer: "x" }));
    expect(result).toMatchObject({ isError: true });
    expect(result?.content?.[0]?.text).toContain("nothing was started");
    expect(await store.list()).toEqual([]);
  });

  it("outlives the server that signed it", async () => {
    const replies = { triage: ["A [BILLING]"], billing: ["Which? [ASK]", "Done. [DONE]"] };
    const { server, store, folder } = await openServer({ replies });
    const { requestState = "" } = (await callRaw(server.url, "bt_operator", {})).result ?? {};
    await server.stop(0);
    const next = await openServer({ replies: { triage: [], billing: ["", "Done. [DONE]"] }, store, folder });
    const told = await callRaw(next.server.url, "bt_operator", { requestState, ...answerWith({ answer: "left" }) });
    expect(told.result?.structuredContent).toMatchObject({ status: "completed" });
  });
});
