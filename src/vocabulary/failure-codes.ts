/** Codes of failures inside a run, in `result.error` and in events: what happened, then what to do about it. */
export const failureCodes = {
  attachment_not_taken:
    "No model of the agent takes all the files that the agent is given. The message names the file and who could take it: add such a model to the agent's `models`, or write `attachments: none`.",
  bad_items:
    "A group with `for_each` found no list in the answer before it, even after one repair. The message shows what the answer contains.",
  bad_reasoning:
    "The value of `reasoning` cannot be sent to the provider. Use one of the efforts that the message lists.",
  bad_reply: "A model made in code returned something that is not a reply. Return { text, toolCalls, finish }.",
  cancelled: "The call or run was cancelled.",
  empty: "The model's answer was empty, so the attempt counts as failed.",
  empty_answer:
    "A member of a group gave an empty answer, which does not count as a success. `baton show <run> --transcript` shows its session.",
  filtered: "The provider's content filter stopped the answer.",
  guard:
    "A guard of an agent or crew did not let a text pass. The message is the guard's own; `baton show <run> --events` shows which guard tripped and why.",
  incomplete: "The model's answer ended without a known reason, so Baton discards the answer and tries the call again.",
  input_too_large:
    "The input is larger than the crew accepts. Shorten it, or raise `max_input_size_kb` in the crew's settings.",
  lost: "The process died during the call, so its result is unknown. The call was made again.",
  max_crew_depth: "Crews call each other deeper than `max_crew_depth` allows. Raise the limit, or call fewer levels.",
  max_handoffs:
    "The run reached `max_handoffs` or `max_run_handoffs`. Raise the limit, or look for a loop with `baton diagnose`.",
  max_rounds: "The run reached `max_rounds`. Raise the limit, or look for a loop with `baton diagnose`.",
  max_turns: "An agent did not answer within its `max_turns`. Raise the limit, or ask less of the agent.",
  model_failed: "Every attempt to call an agent's models failed. The message gives the last cause.",
  no_bytes:
    "The store no longer has the bytes of a file that the agent is given: they were deleted, or the store was copied without them. Start a new run with the file.",
  no_key: "The model has no key, so the next model of the chain is used. Set the variable that the message names.",
  no_success: "No member of a parallel group succeeded. The failure lists the cause of each member.",
  output_invalid:
    "An agent's answer did not fit its `output`, even after one repair. Simplify the schema, or use a stronger model.",
  pause_timeout: "Nobody answered a pause within its deadline, and the decision for that case is `fail`.",
  quota: "A quota does not allow the next call. Raise the cap, or choose another `on_exceed`.",
  script_exhausted: "A script has fewer replies than the run needs. Add replies for the agent that the message names.",
  status:
    "The provider refused the call with this HTTP status. The message quotes the provider; `docs/models.md` says which calls Baton tries again.",
  sub_crew_failed: "A sub-crew failed, and `on_error` did not handle it. The failure's `cause` says why.",
  timeout:
    "A run, crew, model call or function took longer than its limit allows. Raise the limit, or shorten the work.",
  tool_failed:
    "The function of an agent threw, or returned no text and no JSON. The message says why; docs/functions.md says what it may return.",
  too_large: "The model's answer is larger than 32 MB, so it is not used.",
  too_many_items:
    "The list that a group with `for_each` got is longer than `max_items` allows. Raise the limit, or let the agent write fewer items.",
  unknown_crew: "A sub-crew that is called does not exist.",
  unreachable: "The model's server could not be reached. Check the address and the network.",
} as const;
