/** Every code of a `BatonError`: what is wrong, then what to do about it. Codes keep their meaning for ever. */
export const errorCodes = {
  "ambiguous-tool":
    "Two tools have the same name, so one of them would never be called. Give one of them another name, or rename one of the MCP servers.",
  "bad-address":
    "The address of a provider or server is not an HTTP address. Write http://… or https://… in the variable or key that the message names.",
  "attachment-too-large":
    "A file, or all files of a run together, are larger than the crew takes. Send less, or raise `max_attachment_mb` or `max_run_attachments_mb` in the crew's settings.",
  "bad-answer":
    "The answer does not fit the question that the paused run asks. `baton show <run>` shows the question and its choices; the run stays paused.",
  "bad-approvals":
    "The file with the approved MCP servers cannot be read. Repair it, or delete it to be asked again for each server.",
  "bad-attachment":
    "A file that was to come with an input cannot be read, fetched or used. The message names the file and says why.",
  "bad-definition":
    "The definition that was given to `defineCrew` contains something that is not plain data, or it has no list of agents. The message names the place.",
  "bad-document":
    "A document that was given to a store is not plain JSON. Store text, numbers, booleans, lists and plain objects.",
  "bad-event":
    "An event that was given to a store is incomplete or is not plain JSON. The message says what is missing; a store of your own must return events as they were appended.",
  "bad-fork":
    "A run cannot be forked in this way. The message says what a fork takes; `baton show <run> --events` lists the numbers of events.",
  "bad-handoff": "A handoff record has a figure that a store cannot hold, such as NaN. Give finite numbers.",
  "bad-input": "The input of a run is not text. Pass a string.",
  "bad-matcher": "A scenario's `matches` is not a regular expression. Correct the expression that the message shows.",
  "bad-model": "The name of a model has no provider. Write `provider/model`, such as `openai/gpt-5`.",
  "bad-name":
    "The name of a document, run or handoff contains a NUL character or half of a surrogate pair. Use valid text.",
  "bad-option":
    "A function was given an option that does not exist or has the wrong type. The message names the option and what it takes.",
  "bad-options": "The options of a command contradict each other. The message says which of them to leave out.",
  "bad-script":
    'The script with replies cannot be used. A script lists replies by agent: { triage: ["It is broken. [FIX]"], fixer: ["Done."] }.',
  "bad-session":
    "The text cannot be the id of a conversation. Use 1 to 128 of the letters a to z and A to Z, digits, `-`, `_` and `.`.",
  "bad-signal-format":
    "The name of a signal is malformed. Write `[`, 1 to 64 letters, digits, `_`, `-` or inner spaces, and `]`.",
  "bad-target": "The definition of a signal contradicts its target. The message says which targets it can have.",
  "bad-tool":
    "A tool is defined with an unknown key or a value of the wrong type. The message names the key and what it takes.",
  "bad-tool-name": 'A tool has no name. Write defineTool({ name: "lookup", … }).',
  "conversation-active": "Another run of the conversation is in progress. Wait until it ends, or cancel it.",
  "conversation-interrupted":
    "The last run of the conversation was interrupted. Continue it with `baton resume`, or cancel it.",
  "conversation-paused":
    "The last run of the conversation waits for an answer. Answer it with `baton resume`, or cancel it.",
  "context-failed":
    "The function that gives runs their context failed, or did not return an object. The message gives the cause; no model or tool was called.",
  "crew-changed":
    "The crew or the code of a tool has changed since the run began. Restore it, or resume with `--original` (the stored copy) or `--accept-changes`.",
  "crew-closed": "`crew.close()` was called, so the handle starts and continues no runs. Load the crew again.",
  "document-changed":
    "Somebody else changed a document at the same time, so nothing was stored. Read the document again, and repeat the call.",
  "duplicate-signal": "A signal is registered or bound twice. Remove one of the two.",
  "file-changed": "A file changed between reading and writing, so nothing was written. Run the command again.",
  "file-exists": "The file exists already and is not overwritten. Give another name or folder, as the message says.",
  "foreign-address":
    "The crew names an address that may not belong to the provider of your key, so Baton does not send the key there. If you trust the address, set the variable that the message names.",
  "function-import-failed":
    "The module of an agent's function cannot be imported, or does not export a function of that name. The message shows the cause and what the module exports.",
  "idempotency-conflict":
    "The idempotency key was used for another request within the last day. Use a new key for each request, and the same key only to repeat one.",
  "input-too-large":
    "The input is larger than the crew accepts. Shorten it, or raise `max_input_size_kb` in the crew's settings.",
  "invalid-configuration":
    "The crew has errors and cannot run. The error's `diagnostics` list every problem with its place; `baton check` prints them.",
  "missing-package":
    "The package of a provider, or of a kind of store, is not installed. Run the `npm install` command that the message shows.",
  "no-function":
    "An agent is a function in code, which this process does not have. Continue the run with the crew that defines the function.",
  "no-input": "The input is empty. Give the crew a task.",
  "no-key": "The provider needs a key. Set the environment variable that the message names.",
  "no-model":
    "An agent has no model that can be called. Set a key, name a model with `--model` or `BATON_MODEL`, or use a script.",
  "no-secret":
    "The secret that signs messages to the crew's webhook is not set. Set the variable that the message names.",
  "no-variable":
    "An MCP server needs an environment variable that is not set. Set it, or write a default after `:-` in the crew's file.",
  "not-broken": "The run is not interrupted, so there is nothing to continue. The message says how the run stands.",
  "not-expired": "The pause has no deadline, or its deadline has not passed. Answer the run, or wait.",
  "not-paused":
    "The run does not wait for an answer. The message says how the run stands; somebody else may have answered it.",
  "not-recordable":
    "The run cannot become a scenario. Record a run that completed, failed or paused, and that begins its conversation.",
  "not-written": "The scenario file cannot be written. Name another file with `--out`.",
  "other-crew": "The conversation belongs to another crew. Use another id.",
  "out-of-order": "Events were appended to a run out of order. Read the run again, and append from its end.",
  "outside-root":
    "A path leads out of the project root. Put the file inside the project, or name the root with `--root`.",
  "pause-expired":
    "The deadline of the pause has passed, so the answer is too late. Apply the deadline's decision with `baton resume --expired` or `crew.expire`.",
  "run-active":
    "Another process, or another call in this process, is running the run. Wait for it, or resume with `--wait`; the lease of a dead process ends after 10 s.",
  "remote-unreachable":
    "The card of a remote agent could not be read. Check its address, its token, and whether its server runs.",
  "run-ended": "The run has ended, so there is nothing to cancel.",
  "run-owned": "Another owner holds the lease of the run. Take the run when the lease has ended.",
  "run-too-long": "The run has as many events as a journal can hold. Fork it, and continue with the fork.",
  "script-too-short":
    "The script has too few replies for the rest of the run. Give a longer script that also has the replies from the beginning of the run.",
  "secret-not-stored":
    "The stored copy of the crew has no secrets, and this run needs one. Resume with the crew's files, and put the secret into an environment variable.",
  "server-failed":
    "An MCP server did not start or could not be reached. The message shows the last lines that it wrote.",
  "server-not-approved":
    "An MCP server, or a change of its tools, is not approved on this machine. Approve it at a terminal, with `--yes`, or with `approveServer` in code.",
  "stale-owner":
    "The lease of the run was lost, because another owner has taken the run since. Take the run again, and read the new events.",
  "stopped-waiting": "Waiting for the run was cancelled while another process still had it. Try again, or wait longer.",
  "bad-store": "Workers need a store in PostgreSQL, and this one is a file. Name one with `--store postgres://…`.",
  "store-busy":
    "Another program has locked the journal, or two programs wrote at once. Nothing was written; try again.",
  "store-closed": "The store was closed before it was used. Open it again.",
  "store-damaged": "The journal is damaged. Restore a copy, or move the file away to begin a new one.",
  "store-denied":
    "The database does not let this user in, or the user lacks a right. Check user and password in the store's address; docs/postgres.md lists the rights.",
  "store-differs":
    "Something is different in the two stores of `baton store copy`. Copy into an empty store: another folder, or another schema.",
  "store-failed": "The operating system does not let Baton use the journal. The message gives the reason.",
  "store-full": "There is no room for the journal. Free some space and try again; what is in the journal is safe.",
  "store-gone":
    "The journal was deleted, moved or replaced while a run wrote to it. Put the file back, then continue the run with `baton resume`.",
  "store-not-found": "There is no such database. Create it with `createdb`, or correct the store's address.",
  "store-not-ours":
    "The file is not a journal of Baton, so Baton did not change it. Name another store with --store or BATON_HOME.",
  "store-read-only": "The journal cannot be written. Allow writing, or name another store with --store or BATON_HOME.",
  "store-too-new": "A newer version of Baton wrote the journal. Use that version.",
  "store-unreachable":
    "The database does not answer: its server is down, the address is wrong, or the network is cut. Start the server, then continue the run with `baton resume`.",
  "too-soon":
    "The process that made the call may still be running the tool, so `not_happened` is refused for now. The message says how long to wait.",
  "tool-import-failed":
    "The module of a tool cannot be imported, or does not export a tool of that name. The message shows the cause and what an export can be.",
  "unknown-agent": "There is no agent of this name in the crew. The message lists the crew's agents.",
  "unknown-attachment":
    "The run has no such file, or its content was deleted. `baton show <run>` lists the files of a run.",
  "unknown-code": "There is no such code. `baton explain` lists all codes.",
  "unknown-crew":
    "The crew of a run or conversation is gone, and the store has no copy of it. Name the crew's files with `--crew`.",
  "unknown-provider":
    "The provider of a model is not known and has no address. Set the variable that the message names, or use a known provider.",
  "unknown-run": "There is no run with this id. `baton runs` lists the runs that are stored.",
  "unknown-session": "There is no conversation with this id. `baton run --conversation <id>` begins one.",
  "unknown-team-kind":
    "A team names a `kind` that is not defined. Pass its definition: loadCrew(path, { teams: { vote } }).",
  "unknown-tool":
    "An agent lists a tool that is neither declared in the crew, given in code, nor offered by an MCP server.",
  "unable-worker": "A worker can run none of its crews. The message says what each lacks, such as a key or a tool.",
  "unknown-worker": "There is no worker of this name. `baton workers` lists those that run.",
  "unknown-user": "No run was started for this user. Users are named as in `user` when a run is started.",
  "worker-active":
    "A worker of this name is running already. Choose another name with `--name`, or drain that worker first.",
  "wrong-type": "A field of a signal's definition has the wrong type. The message names the field and what it takes.",
  "bad-request":
    "The request of a program does not fit the API. The message names the field and what it takes; `GET /openapi.json` describes every route.",
  "body-too-large":
    "The body of a request is larger than the server accepts. Send less, or start the server with a larger `--max-body`.",
  forbidden:
    "The token may not do this. The message names the scope that is missing; the tokens file of the server gives scopes.",
  "host-not-allowed":
    "The request was sent to a name that the server does not answer to. Start the server with `--allowed-host <name>`, or with `--public-url`.",
  "internal-error": "The server failed, and its log says why. Try again, and tell whoever runs the server.",
  "origin-not-allowed":
    "A page of another origin asked the server. Start the server with `--origin <url>` to allow that origin.",
  "rate-limited":
    "The token has made as many requests, started as many runs or spent as much as it may. Try again after `Retry-After` seconds.",
  "run-failed":
    "The run that was to answer a chat client failed. The message says why; `baton diagnose` says what to change.",
  "server-unreachable":
    "The server does not answer: it is down, its address is wrong, or the network is cut. Start it, or correct `url`; stored runs go on when it is back.",
  stopping: "The server is stopping and takes no more runs. Try again in a few seconds.",
  "studio-not-built": "The studio's page is not beside the program. In a checkout, build it with `npm run build`.",
  unauthorized:
    "The request has no token, or one that is not valid. Send `Authorization: Bearer <token>`; `baton token new` makes a token.",
  "unknown-route": "There is no such route. `GET /openapi.json` lists all routes.",
  "unsupported-media-type": "The body of a request is not JSON. Send it with `Content-Type: application/json`.",
  "wrong-method": "The route takes another method, which the header `Allow` names.",
} as const;

/** The code of a `BatonError`. `baton explain <code>` and docs/reference/errors.md say what each means and what to do. */
export type BatonErrorCode = keyof typeof errorCodes;

/**
 * Codes of what is missing or wrong when Baton makes a run ready: its models and keys, tools, functions, MCP servers, secrets and
 * context. Nothing was called.
 */
export type PreparationErrorCode = Extract<
  BatonErrorCode,
  | "ambiguous-tool"
  | "bad-address"
  | "bad-approvals"
  | "bad-model"
  | "bad-script"
  | "context-failed"
  | "foreign-address"
  | "function-import-failed"
  | "missing-package"
  | "no-function"
  | "no-key"
  | "no-model"
  | "no-secret"
  | "no-variable"
  | "outside-root"
  | "remote-unreachable"
  | "secret-not-stored"
  | "server-failed"
  | "server-not-approved"
  | "stopped-waiting"
  | "tool-import-failed"
  | "unknown-provider"
  | "unknown-run"
  | "unknown-team-kind"
  | "unknown-tool"
>;

/** Codes with which any call that uses a store may be refused. What was stored before is safe, unless the code says otherwise. */
export type StoreErrorCode = Extract<
  BatonErrorCode,
  | "run-too-long"
  | "stale-owner"
  | "store-busy"
  | "store-closed"
  | "store-damaged"
  | "store-denied"
  | "store-failed"
  | "store-full"
  | "store-gone"
  | "store-read-only"
  | "store-unreachable"
>;

/** Codes with which the start of a run may be refused. What fails inside a run is no error but a result whose status is `failed`. */
export type StartErrorCode =
  | Extract<
      BatonErrorCode,
      | "attachment-too-large"
      | "bad-attachment"
      | "bad-input"
      | "bad-option"
      | "crew-closed"
      | "input-too-large"
      | "no-input"
      | "run-active"
    >
  | PreparationErrorCode
  | StoreErrorCode;

/** Codes with which continuing a run may be refused. The run stays as it was. */
export type ContinueErrorCode =
  | Extract<
      BatonErrorCode,
      | "attachment-too-large"
      | "bad-attachment"
      | "bad-option"
      | "crew-changed"
      | "crew-closed"
      | "run-active"
      | "script-too-short"
      | "unknown-agent"
      | "unknown-run"
    >
  | PreparationErrorCode
  | StoreErrorCode;
