import type { DiagnosticCode } from "../vocabulary/diagnostic.ts";

/** What to do about something that could not be taken over. */
export function proposeFor(code: DiagnosticCode, target: string): string {
  switch (code) {
    case "not-found":
      return `add the text of that file to ${target}`;
    case "outside-root":
      return `copy the text of that file into ${target}, if the crew needs it`;
    case "unknown-agent":
    case "unknown-collaborator":
    case "unknown-target":
      return `import that agent too and name it in ${target}, or leave it out`;
    case "unset-variable":
    case "bad-model":
      return `write provider/model under 'models' in ${target}, such as openai/gpt-5`;
    case "reference-cycle":
      return "leave it out, or use collaborations: transfers may go round";
    case "missing-description":
      return `say under 'description' in ${target} what the agent does`;
    case "unknown-tool":
      return `declare the tool in crew.yaml and name it in ${target}, or leave it out`;
    case "wrong-type":
    case "bad-duration":
      return `write it in ${target} in the form that the message names, or leave it out`;
    default:
      return `change it in ${target}; 'baton explain ${code}' says more`;
  }
}
