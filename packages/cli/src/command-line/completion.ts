// Scripts by which a shell completes commands and options; made from the commands as they are.
import type { Option } from "commander";
import { PROGRAM } from "../version.ts";
import type { CommandEntry } from "./command-entry.ts";
import { type Described, describeCommands } from "./described-commands.ts";

const toLongNames = (options: readonly Option[]) =>
  [...options.map(({ long }) => long), "--help"].filter((name) => typeof name === "string");

const SCRIPTS = { bash: toBash, zsh: toZsh, fish: toFish } as const;

export type Shell = keyof typeof SCRIPTS;

export const SHELLS: readonly string[] = Object.keys(SCRIPTS);

export async function toCompletion(
  shell: Shell,
  commands: readonly CommandEntry[],
): Promise<string> {
  return SCRIPTS[shell](await describeCommands(commands));
}

/** A line for each command: the words and the options that it takes. */
const toCases = (commands: readonly Described[]) =>
  commands.map(
    ({ name, options, words }) =>
      `    ${name}) candidates="${[...words, ...toLongNames(options)].join(" ")}" ;;`,
  );

/** A line for each option that takes one of some words, beside its command, and one for those that take another value. */
function toValueCases(
  commands: readonly Described[],
  { toWords, other }: { readonly toWords: (words: string) => string; readonly other: string },
): readonly string[] {
  const valued = commands.flatMap(({ name, options }) =>
    options
      .filter(({ required }) => required)
      .map(({ long, argChoices }) => ({ place: `"${name} ${long}"`, argChoices })),
  );
  const free = valued.filter(({ argChoices }) => argChoices === undefined);
  return [
    ...valued.flatMap(({ place, argChoices }) =>
      argChoices ? [`    ${place}) ${toWords(argChoices.join(" "))} ;;`] : [],
    ),
    `    ${free.map(({ place }) => place).join("|")}) ${other} ;;`,
  ];
}

/** Names of the commands whose argument is one of some words, and no file. */
const listTakers = (commands: readonly Described[]) =>
  commands.filter(({ words }) => words.length > 0).map(({ name }) => name);

const toNames = (commands: readonly Described[]) => commands.map(({ name }) => name).join(" ");

/** Names of the commands whose argument is a file or a folder. */
const listFileTakers = (commands: readonly Described[]) =>
  commands.filter(({ takesFile }) => takesFile).map(({ name }) => name);

// To bash, the = of --format=csv is a word. Where there is no candidate, it offers files. macOS has bash 3.2: no mapfile.
function toBash(commands: readonly Described[]): string {
  return `_call_media() {
  local candidates="" word="\${COMP_WORDS[COMP_CWORD]}" before=$((COMP_CWORD - 1))
  if [[ "$word" == "=" ]]; then word=""; elif [[ "\${COMP_WORDS[before]}" == "=" ]]; then ((before--)); fi
  case "\${COMP_WORDS[1]}" in
${toCases(commands).join("\n")}
  esac
  case "\${COMP_WORDS[1]} $word" in
    *" -"*) ;;
    ${listFileTakers(commands)
      .map((name) => `"${name} "*`)
      .join("|")}) candidates="" ;;
  esac
  case "\${COMP_WORDS[1]} \${COMP_WORDS[before]}" in
${toValueCases(commands, { toWords: (words) => `candidates="${words}"`, other: `candidates=""` }).join("\n")}
  esac
  ((COMP_CWORD == 1)) && candidates="${toNames(commands)} --help --version"
  COMPREPLY=($(compgen -W "$candidates" -- "$word"))
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
${toValueCases(commands, { toWords: (words) => `compadd -- ${words}; return`, other: "_files; return" }).join("\n")}
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
