// Scripts by which a shell completes commands and options; made from the commands as they are.
import { Command, type Option } from "commander";
import { COMMANDS } from "../commands.ts";
import { PROGRAM } from "../version.ts";

interface Described {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly Option[];
  /** What its argument may be, where that is known. */
  readonly words: readonly string[];
}

const HELP = { name: "help", summary: "show how a command is used", options: [] };

/** Loads every command. */
async function describeCommands(): Promise<readonly Described[]> {
  const commands = COMMANDS.map(async ({ name, summary, load }) => {
    const command = new Command(name);
    (await load())(command);
    const { options, registeredArguments } = command;
    const words = registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
    return { name, summary, options, words };
  });
  const words = COMMANDS.map(({ name }) => name);
  return [...(await Promise.all(commands)), { ...HELP, words }];
}

const toLongNames = (options: readonly Option[]) =>
  [...options.map(({ long }) => long), "--help"].filter((name) => typeof name === "string");

const SCRIPTS = { bash: toBash, zsh: toZsh, fish: toFish } as const;

export type Shell = keyof typeof SCRIPTS;

export const SHELLS: readonly string[] = Object.keys(SCRIPTS);

export async function toCompletion(shell: Shell): Promise<string> {
  return SCRIPTS[shell](await describeCommands());
}

/** A line for each command: the words and the options that it takes. */
const toCases = (commands: readonly Described[]) =>
  commands.map(
    ({ name, options, words }) =>
      `    ${name}) candidates="${[...words, ...toLongNames(options)].join(" ")}" ;;`,
  );

/** A line for each option that takes one of some words, beside its command. */
const toValueCases = (commands: readonly Described[], toDone: (words: string) => string) =>
  commands.flatMap(({ name, options }) =>
    options.flatMap(({ long, argChoices }) =>
      argChoices ? [`    "${name} ${long}") ${toDone(argChoices.join(" "))} ;;`] : [],
    ),
  );

/** Names of the commands whose argument is one of some words, and no file. */
const listTakers = (commands: readonly Described[]) =>
  commands.filter(({ words }) => words.length > 0).map(({ name }) => name);

const toNames = (commands: readonly Described[]) => commands.map(({ name }) => name).join(" ");

function toBash(commands: readonly Described[]): string {
  return `_call_media() {
  local candidates=""
  case "\${COMP_WORDS[1]}" in
${toCases(commands).join("\n")}
  esac
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD - 1]}" in
${toValueCases(commands, (words) => `candidates="${words}"`).join("\n")}
  esac
  ((COMP_CWORD == 1)) && candidates="${toNames(commands)} --help --version"
  mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _call_media ${PROGRAM}`;
}

function toZsh(commands: readonly Described[]): string {
  return `#compdef ${PROGRAM}
_call_media() {
  local candidates=""
  case "\${words[2]}" in
${toCases(commands).join("\n")}
  esac
  case "\${words[2]} \${words[CURRENT - 1]}" in
${toValueCases(commands, (words) => `compadd -- ${words}; return`).join("\n")}
  esac
  ((CURRENT == 2)) && candidates="${toNames(commands)} --help --version"
  compadd -- \${=candidates}
  if ((CURRENT > 2)) && [[ "\${words[2]}" != (${listTakers(commands).join("|")}) ]]; then _files; fi
}
compdef _call_media ${PROGRAM}`;
}

/** In single quotes a shell takes everything as it is, but a quote. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function toFish(commands: readonly Described[]): string {
  // Without it files are offered beside the commands.
  const first = `complete -c ${PROGRAM} -n __fish_use_subcommand -f`;
  return [first, ...commands.flatMap(toFishLines)].join("\n");
}

function toFishLines({ name, summary, options, words }: Described): readonly string[] {
  const line = `complete -c ${PROGRAM} -n`;
  const after = `${line} "__fish_seen_subcommand_from ${name}"`;
  return [
    `${line} __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
    ...(words.length > 0 ? [`${after} -f -a ${quote(words.join(" "))}`] : []),
    ...options.map(
      (option) =>
        `${after} -l ${option.long?.slice(2)}${toFishValue(option)} -d ${quote(option.description)}`,
    ),
  ];
}

/** What follows an option: one of some words alone, or something else. */
function toFishValue({ argChoices, required }: Option): string {
  if (argChoices) return ` -x -a ${quote(argChoices.join(" "))}`;
  return required ? " -r" : "";
}
