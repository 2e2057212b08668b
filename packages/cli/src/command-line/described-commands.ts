// Describes every command with its options and arguments, for shell completion.
import { Command, type Option } from "commander";
import type { CommandEntry } from "./command-entry.ts";
import { addCommonOptions } from "./common-options.ts";

export interface Described {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly Option[];
  /** Possible values of its argument; empty if any value is possible. */
  readonly words: readonly string[];
  readonly takesFile: boolean;
}

const HELP = {
  name: "help",
  summary: "show how a command is used",
  options: [],
  takesFile: false,
};

/** Names of arguments that are files or folders. */
const FILES: ReadonlySet<string> = new Set(["base", "head", "folder", "file"]);

/** Loads every command. */
export async function describeCommands(
  entries: readonly CommandEntry[],
): Promise<readonly Described[]> {
  const commands = entries.map(async ({ name, summary, load }) => {
    const command = new Command(name);
    (await load())(command);
    addCommonOptions(command);
    const { options, registeredArguments } = command;
    const words = registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
    const takesFile = registeredArguments.some((argument) => FILES.has(argument.name()));
    return { name, summary, options, words, takesFile };
  });
  const words = entries.map(({ name }) => name);
  return [...(await Promise.all(commands)), { ...HELP, words }];
}
