// What somebody may have meant who gave an option that a command does not have.
import type { Command } from "commander";
import { toSuggestion } from "./suggestion.ts";

const FOLDER_IS_ARGUMENT = (name: string) => `the folder is an argument: call-media ${name} FOLDER`;
const TO_STANDARD_OUTPUT = () => "the answer goes to standard output: > FILE";

/** What other commands call so, by command and option. */
const MEANT: Readonly<Record<string, (name: string) => string>> = {
  "sync --out": FOLDER_IS_ARGUMENT,
  "verify --out": FOLDER_IS_ARGUMENT,
  "get --out": TO_STANDARD_OUTPUT,
  "watch --out": TO_STANDARD_OUTPUT,
  "watch --from": () => "--since DAY is for calls that are there already",
  "watch --json": () => "it prints lines of JSON in any case",
};

/** A line to be shown below what commander says, where that has no hint of its own; or nothing. */
export function toHint(said: string, command: Command | undefined): string {
  const [, flag] = /^error: unknown option '(--[\w-]+)(?:=.*)?'\n$/s.exec(said) ?? [];
  if (flag === undefined || command === undefined) return "";
  const hint = MEANT[`${command.name()} ${flag}`]?.(command.name()) ?? findHidden(flag, command);
  return hint === "" ? "" : `(${hint})\n`;
}

/** Commander knows of no option that its help leaves out. */
function findHidden(flag: string, { options }: Command): string {
  const names = options.flatMap(({ hidden, long }) => (hidden && long ? [long] : []));
  return toSuggestion(flag, names).replace(": ", "");
}
