/** What a coding assistant is told that is to write a crew. */
export function writeCrewPrompt(task: string): string {
  return `Write a Baton crew for this task:

${task}

A crew is a folder with a crew.yaml and one Markdown file for each agent under agents/. The page that follows explains the files. The other pages are resources of this server: baton://docs/signals.md, baton://docs/patterns.md, baton://docs/scenarios.md, and every key in baton://docs/reference/crew.md and baton://docs/reference/agent.md.

Work in these steps:

1. Decide on the fewest agents that do the task. Give each a description, a short prompt, and say what follows its answer: a signal in crew.yaml, or a pattern in its own file (handoff, router, advisors, team).
2. Write the files. Name every signal in the prompt of the agent that emits it. Set max_handoffs and timeout_seconds.
3. Call check_crew, and mend every error and warning. Call graph_crew and compare the drawing with what you meant.
4. Call plan_crew, and tell the user what a run can cost at worst.
5. Write *.scenario.yaml files beside the crew: one for each way through it, with scripted replies. Call test_crew with coverage, until all pass and nothing is missing. Scenarios run offline and cost nothing.
6. Tell the user how to run it: baton run <folder> "<input>". If a run goes wrong, call diagnose_run.

Ask the user before anything that a run may do to the world: tools that write, pay or send need needs_approval, or a gate.`;
}
