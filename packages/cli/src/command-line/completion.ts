// Generates completion scripts for shells from the commands and their options.
import { fieldsOf } from "@call-media/api";
import type { Option } from "commander";
import { PROGRAM } from "../version.ts";
import type { CommandEntry } from "./command-entry.ts";
import { type Described, describeCommands } from "./described-commands.ts";

const toLongNames = (options: readonly Option[]) =>
  [...options.map(({ long }) => long), "--help"].filter((name) => typeof name === "string");

/** Options whose values are fields of a record. */
const OF_FIELDS: ReadonlySet<string> = new Set(["--columns", "--group-by", "--redact"]);

/** Prints the names of profiles, which differ for each user. */
const PROFILES = `${PROGRAM} profiles --names`;

/** The values of an option, separated by spaces; undefined if any value is possible. `run`: how the shell runs a command. */
function toValues(
  { long = "", argChoices }: Option,
  run = (command: string) => `$(${command} 2>/dev/null)`,
): string | undefined {
  if (argChoices !== undefined) return argChoices.join(" ");
  if (long === "--profile") return run(PROFILES);
  return OF_FIELDS.has(long) ? fieldsOf("MetadataRecord").join(" ") : undefined;
}

const SCRIPTS = { bash: toBash, zsh: toZsh, fish: toFish, powershell: toPowerShell } as const;

export type Shell = keyof typeof SCRIPTS;

export const SHELLS: readonly string[] = Object.keys(SCRIPTS);

export async function toCompletion(
  shell: Shell,
  commands: readonly CommandEntry[],
): Promise<string> {
  return SCRIPTS[shell](await describeCommands(commands));
}

/** A line for each command, with its words and options. */
const toCases = (commands: readonly Described[]) =>
  commands.map(
    ({ name, options, words }) =>
      `    ${name}) candidates="${[...words, ...toLongNames(options)].join(" ")}" ;;`,
  );

/** A line for each option with a list of values, and one line for all options without. */
function toValueCases(
  commands: readonly Described[],
  { toWords, other }: { readonly toWords: (words: string) => string; readonly other: string },
): readonly string[] {
  const valued = commands.flatMap(({ name, options }) =>
    options
      .filter(({ required }) => required)
      .map((option) => ({ place: `"${name} ${option.long}"`, values: toValues(option) })),
  );
  const free = valued.filter(({ values }) => values === undefined);
  return [
    ...valued.flatMap(({ place, values }) =>
      values === undefined ? [] : [`    ${place}) ${toWords(values)} ;;`],
    ),
    `    ${free.map(({ place }) => place).join("|")}) ${other} ;;`,
  ];
}

/** Names of the commands whose argument has a list of values. */
const listTakers = (commands: readonly Described[]) =>
  commands.filter(({ words }) => words.length > 0).map(({ name }) => name);

const toNames = (commands: readonly Described[]) => commands.map(({ name }) => name).join(" ");

/** Names of the commands whose argument is a file or a folder. */
const listFileTakers = (commands: readonly Described[]) =>
  commands.filter(({ takesFile }) => takesFile).map(({ name }) => name);

// For bash, the = of --format=csv is a word. Without candidates, it offers files. macOS has bash 3.2, without mapfile.
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

/** A shell reads everything in single quotes literally, except a single quote. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function toFish(commands: readonly Described[]): string {
  // Without this line, fish offers files in addition to commands.
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

/** The value of an option: one of a list, or any. */
function toFishValue(option: Option): string {
  const values = toValues(option, (command) => `(${command} 2>/dev/null)`);
  if (values !== undefined) return ` -x -a ${quote(values)}`;
  return option.required ? " -r" : "";
}

/** Without candidates, PowerShell offers files. */
function toPowerShell(commands: readonly Described[]): string {
  const toEntry = (key: string, words: string) => `    '${key}' = "${words}"`;
  const options = commands.map(({ name, options: own, words }) =>
    toEntry(name, [...words, ...toLongNames(own)].join(" ")),
  );
  const values = commands.flatMap(({ name, options: own }) =>
    own.flatMap((option) => {
      if (!option.required) return [];
      const words = toValues(option, (command) => `$(${command} 2>$null)`) ?? "";
      return [toEntry(`${name} ${option.long}`, words)];
    }),
  );
  return `Register-ArgumentCompleter -Native -CommandName ${PROGRAM} -ScriptBlock {
  param($word, $ast, $position)
  $words = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { "$_" })
  $options = @{
${options.join("\n")}
  }
  $values = @{
${values.join("\n")}
  }
  $place = if ($words.Count -gt 2) { "$($words[1]) $($words[-1])" } else { '' }
  $candidates = if ($words.Count -le 1) { '${toNames(commands)} --help --version' }
    elseif ($values.ContainsKey($place)) { $values[$place] }
    else { $options[$words[1]] }
  "$candidates" -split ' ' | Where-Object { $_ -and $_.StartsWith($word) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}`;
}
