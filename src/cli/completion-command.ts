import type { Command, Option } from "commander";

export type Shell = "bash" | "zsh" | "fish";

/** What a shell completes after a command. */
interface Completed {
  readonly name: string;
  readonly about: string;
  readonly options: readonly { readonly flag: string; readonly about: string; readonly choices: readonly string[] }[];
  /** What the first argument can be, beside a file. */
  readonly words: readonly string[];
}

/** `baton completion`: a script for a shell that completes commands, options and their choices. It follows from the commands themselves. */
export function renderCompletion(shell: Shell, program: Command): string {
  const commands = program.commands.map(describe);
  const renderers = { bash: renderBash, zsh: renderZsh, fish: renderFish };
  return renderers[shell](commands);
}

function describe(command: Command): Completed {
  const [first] = command.registeredArguments;
  const isOfRun = first?.name() === "run";
  const options = command.options.flatMap((option: Option) =>
    option.long === undefined
      ? []
      : [{ flag: option.long, about: option.description, choices: option.argChoices ?? [] }],
  );
  return {
    name: command.name(),
    about: command.description(),
    options: [...options, { flag: "--help", about: "show all arguments and options", choices: [] }],
    words: isOfRun ? ["last"] : (first?.argChoices ?? []),
  };
}

const HEAD = "# Completion for baton. It lists what 'baton --help' lists; make it again after an upgrade.";

function renderBash(commands: readonly Completed[]): string {
  const cases = commands.map(
    ({ name, options, words }) =>
      `    ${name}) words="${words.join(" ")}" options="${options.map(({ flag }) => flag).join(" ")}" ;;`,
  );
  return `${HEAD}
# Load it with: source <(baton completion bash)
_baton() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words="" options=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${listChoices(commands)
  .map(
    ([name, flag, choices]) =>
      `    "${name} ${flag}") COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$current")); return ;;`,
  )
  .join("\n")}
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current") $(compgen -W "$words" -- "$current")) ;;
  esac
}
complete -F _baton baton`;
}

function listChoices(commands: readonly Completed[]): [name: string, flag: string, choices: readonly string[]][] {
  return commands.flatMap(({ name, options }) =>
    options.flatMap(({ flag, choices }): [string, string, readonly string[]][] =>
      choices.length === 0 ? [] : [[name, flag, choices]],
    ),
  );
}

function renderZsh(commands: readonly Completed[]): string {
  const described = (name: string, about: string) => `'${name}:${escapeQuotes(about).replaceAll(":", "\\:")}'`;
  const cases = commands.map(
    ({ name, options, words }) =>
      `    ${name}) options=(${options.map(({ flag, about }) => described(flag, about)).join(" ")}) words_=(${words.join(" ")}) ;;`,
  );
  return `#compdef baton
${HEAD}
# Load it with: source <(baton completion zsh)
_baton() {
  local -a commands options words_
  commands=(${commands.map(({ name, about }) => described(name, about)).join(" ")})
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "$words[2] $words[CURRENT-1]" in
${listChoices(commands)
  .map(([name, flag, choices]) => `    "${name} ${flag}") compadd -- ${choices.join(" ")}; return ;;`)
  .join("\n")}
  esac
  case "$words[2]" in
${cases.join("\n")}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then _describe option options; return; fi
  (( $#words_ )) && compadd -- $words_
  _files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _baton baton`;
}

function renderFish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, about, options, words }) => {
    const after = `complete -c baton -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c baton -f -n __fish_use_subcommand -a ${name} -d '${escapeQuotes(about)}'`,
      ...(words.length === 0 ? [] : [`${after} -a '${words.join(" ")}'`]),
      ...options.map(({ flag, about: of, choices }) => {
        const values = choices.length === 0 ? "" : ` -x -a '${choices.join(" ")}'`;
        return `${after} -l ${flag.slice(2)}${values} -d '${escapeQuotes(of)}'`;
      }),
    ];
  });
  return [HEAD, "# Load it with: baton completion fish | source", ...lines].join("\n");
}

function escapeQuotes(text: string): string {
  return text.replaceAll("'", "’");
}
