/** A crew whose clerk may not hand over before somebody has approved it. */
export const gateFiles = {
  "baton.yaml": "",
  "crew.yaml": `version: "2.0"
name: gate
agents: [clerk, sender]
routing:
  signals:
    clerk: [{ signal: "[SEND]", target: sender }]
  agent_behaviors: { clerk: { auto_route: false }, sender: { is_terminal: true } }
`,
  "agents/clerk.md": "---\nid: clerk\nmodels: [openai/x]\n---\nSay [SEND].",
  "agents/sender.md": "---\nid: sender\nmodels: [openai/x]\n---\nSend.",
};

export const gateReplies = { clerk: ["A letter. [SEND]", "A letter. [SEND]"], sender: ["Sent."] };
