// Scripts by which a shell completes commands and options; made from the commands as they are.
import { Command, type Option } from "commander";
import { COMMANDS } from "./commands.ts";
import { PROGRAM } from "./version.ts";

interface Described {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly Option[];
}

/** Loads every command. */
async function describeCommands(): Promise<readonly Described[]> {
  return await Promise.all(
    COMMANDS.map(async ({ name, summary, load }) => {
      const command = new Command(name);
      (await load())(command);
      return { name, summary, options: command.options };
    }),
  );
}

const toLongNames = (options: readonly Option[]) =>
  [...options.map(({ long }) => long), "--help"].filter((name) => typeof name === "string");

const SCRIPTS = { bash: toBash, zsh: toZsh, fish: toFish } as const;

export type Shell = keyof typeof SCRIPTS;

export const SHELLS: readonly string[] = Object.keys(SCRIPTS);

export async function toCompletion(shell: Shell): Promise<string> {
  return SCRIPTS[shell](await describeCommands());
}

/** A line for each command: the options that it has. */
const toCases = (commands: readonly Described[]) =>
  commands.map(
    ({ name, options }) => `    ${name}) candidates="${toLongNames(options).join(" ")}" ;;`,
  );

const toNames = (commands: readonly Described[]) => commands.map(({ name }) => name).join(" ");

function toBash(commands: readonly Described[]): string {
  return `_call_media() {
  local candidates=""
  case "\${COMP_WORDS[1]}" in
${toCases(commands).join("\n")}
  esac
  ((COMP_CWORD == 1)) && candidates="${toNames(commands)} help --help --version"
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
  ((CURRENT == 2)) && candidates="${toNames(commands)} help --help --version"
  compadd -- \${=candidates}
  if ((CURRENT > 2)); then _files; fi
}
compdef _call_media ${PROGRAM}`;
}

/** In single quotes a shell takes everything as it is, but a quote. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function toFish(commands: readonly Described[]): string {
  return commands
    .flatMap(({ name, summary, options }) => [
      `complete -c ${PROGRAM} -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
      ...options.map(
        ({ long = "", description }) =>
          `complete -c ${PROGRAM} -n "__fish_seen_subcommand_from ${name}" -l ${long.slice(2)} -d ${quote(description)}`,
      ),
    ])
    .join("\n");
}
