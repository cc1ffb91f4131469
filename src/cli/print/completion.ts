import type { Command } from "../command.ts";

/** What may be typed: names of commands, and the options of each. */
export type Typed = Pick<Command, "about" | "flags" | "name">;

const optionsOf = ({ flags }: Typed): readonly string[] =>
  Object.keys({ ...flags, data: true, database: true, help: false }).map((name) => `--${name}`);

/** The first words of all commands, and after each the words that may follow it. */
const groupsOf = (commands: readonly Typed[]): ReadonlyMap<string, readonly string[]> => {
  const groups = new Map<string, string[]>();
  for (const { name } of commands) {
    const [first = "", second] = name.split(" ");
    const seconds = groups.get(first) ?? [];
    groups.set(first, second === undefined ? seconds : [...seconds, second]);
  }
  return groups;
};

/** The pattern of a shell's `case` that matches a command in the two words that were typed first. */
const patternOf = ({ name }: Typed): string => (name.includes(" ") ? `"${name}"` : `"${name} "*`);

/** Names of two words come first, since the first pattern that matches counts. */
const longestFirst = (commands: readonly Typed[]): readonly Typed[] =>
  commands.toSorted((a, b) => b.name.split(" ").length - a.name.split(" ").length);

const about = (text: string): string => text.split(/[;:(]/)[0]?.trim() ?? "";

/** A completion for bash. */
export const bash = (commands: readonly Typed[]): string => {
  const groups = groupsOf(commands);
  return [
    "# bash completion for docket, made by: docket print completion bash",
    "# Put it into /usr/share/bash-completion/completions/docket",
    "_docket() {",
    "  local cur=${COMP_WORDS[COMP_CWORD]} options= words=",
    "  COMPREPLY=()",
    `  if ((COMP_CWORD == 1)); then`,
    `    COMPREPLY=($(compgen -W "${[...groups.keys()].join(" ")}" -- "$cur"))`,
    "    return",
    "  fi",
    '  case "${COMP_WORDS[1]}" in',
    ...[...groups]
      .filter(([, seconds]) => seconds.length > 0)
      .map(([first, seconds]) => `    ${first}) words="${seconds.join(" ")}" ;;`),
    "  esac",
    "  if ((COMP_CWORD == 2)) && [[ $words && $cur != -* ]]; then",
    '    COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    "    return",
    "  fi",
    "  if [[ $cur != -* ]]; then",
    "    compopt -o default 2>/dev/null",
    "    return",
    "  fi",
    '  case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in',
    ...longestFirst(commands).map(
      (one) => `    ${patternOf(one)}) options="${optionsOf(one).join(" ")}" ;;`,
    ),
    "  esac",
    '  COMPREPLY=($(compgen -W "$options" -- "$cur"))',
    "}",
    "complete -F _docket docket",
  ].join("\n");
};

/** A word in single quotes, for zsh and fish. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A completion for zsh. */
export const zsh = (commands: readonly Typed[]): string => {
  const groups = groupsOf(commands);
  const described = (first: string): string => {
    const found = commands.find(({ name }) => name === first);
    return quoted(
      `${first}:${found ? about(found.about) : [...(groups.get(first) ?? [])].join(", ")}`,
    );
  };
  return [
    "#compdef docket",
    "# zsh completion for docket, made by: docket print completion zsh",
    "# Put it into a directory of $fpath, as _docket",
    "_docket() {",
    "  local -a words_here options",
    "  if ((CURRENT == 2)); then",
    `    words_here=(${[...groups.keys()].map(described).join(" ")})`,
    "    _describe command words_here",
    "    return",
    "  fi",
    "  if ((CURRENT == 3)) && [[ $PREFIX != -* ]]; then",
    '    case "$words[2]" in',
    ...[...groups]
      .filter(([, seconds]) => seconds.length > 0)
      .map(([first, seconds]) => `      ${first}) words_here=(${seconds.join(" ")}) ;;`),
    "    esac",
    "    if (($#words_here)); then",
    "      _describe command words_here",
    "      return",
    "    fi",
    "  fi",
    "  if [[ $PREFIX != -* ]]; then",
    "    _files",
    "    return",
    "  fi",
    '  case "$words[2] $words[3]" in',
    ...longestFirst(commands).map(
      (one) => `    ${patternOf(one)}) options=(${optionsOf(one).join(" ")}) ;;`,
    ),
    "  esac",
    "  compadd -- $options",
    "}",
    '_docket "$@"',
  ].join("\n");
};

/** A completion for fish. */
export const fish = (commands: readonly Typed[]): string => {
  const groups = groupsOf(commands);
  const lines = [...groups].flatMap(([first, seconds]) => {
    const found = commands.find(({ name }) => name === first);
    const what = found ? about(found.about) : seconds.join(", ");
    return [
      `complete -c docket -f -n __fish_use_subcommand -a ${first} -d ${quoted(what)}`,
      ...seconds.map((second) => {
        const one = commands.find(({ name }) => name === `${first} ${second}`);
        const only = `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${seconds.join(" ")}`;
        return `complete -c docket -f -n ${quoted(only)} -a ${second} -d ${quoted(about(one?.about ?? ""))}`;
      }),
    ];
  });
  const options = commands.flatMap((one) => {
    const seen = one.name
      .split(" ")
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join("; and ");
    return optionsOf(one).map((option) => {
      const takesValue = { ...one.flags, data: true, database: true }[option.slice(2)] === true;
      return `complete -c docket -n ${quoted(seen)} -l ${option.slice(2)}${takesValue ? " -r" : ""}`;
    });
  });
  return [
    "# fish completion for docket, made by: docket print completion fish",
    "# Put it into ~/.config/fish/completions/docket.fish",
    ...lines,
    ...options,
  ].join("\n");
};
