// Suggests the intended option after an unknown one.
import type { Command } from "commander";
import { toSuggestion } from "@call-media/terminal";

const FOLDER_IS_ARGUMENT = (name: string) => `the folder is an argument: call-media ${name} FOLDER`;
const TO_STANDARD_OUTPUT = () => "the answer goes to standard output: > FILE";

/** Hints for options that other commands have, by command and option. */
const MEANT: Readonly<Record<string, (name: string) => string>> = {
  "sync --out": FOLDER_IS_ARGUMENT,
  "verify --out": FOLDER_IS_ARGUMENT,
  "get --out": TO_STANDARD_OUTPUT,
  "watch --out": TO_STANDARD_OUTPUT,
  "watch --from": () => "--since DAY also prints existing calls",
  "watch --json": () => "it always prints lines of JSON",
};

/** A line for below the message of Commander; empty if the message has its own hint. */
export function toHint(said: string, command: Command | undefined): string {
  const [, flag] = /^error: unknown option '(--[\w-]+)(?:=.*)?'\n$/s.exec(said) ?? [];
  if (flag === undefined || command === undefined) return "";
  const hint = MEANT[`${command.name()} ${flag}`]?.(command.name()) ?? findHidden(flag, command);
  return hint === "" ? "" : `(${hint})\n`;
}

/** Commander suggests only options that its help lists. */
function findHidden(flag: string, { options }: Command): string {
  const names = options.flatMap(({ hidden, long }) => (hidden && long ? [long] : []));
  return toSuggestion(flag, names).replace(": ", "");
}
