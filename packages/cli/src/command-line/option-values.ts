// Rejects values that commander accepts silently: a repeated option that takes one value, and an empty value.
import type { Command, Option } from "commander";

/** Options that collect their values in a list. */
const REPEATABLE: ReadonlySet<string> = new Set([
  "--body",
  "--caller",
  "--relations",
  "--report",
  "--rule",
  "--traffic",
]);

/** Registers the checks that run while the command line is parsed. The command must already have its options. */
export function refuseOddValues(command: Command): void {
  for (const option of command.options) if (!option.isBoolean()) listen(command, option);
  command.hook("preAction", () => refuseEmptyArgument(command));
}

function listen(command: Command, option: Option): void {
  let isThere = false;
  const { parseArg } = option;
  // A parser runs earlier, and would report another fault for an empty value.
  if (parseArg)
    option.argParser((value, previous: unknown) =>
      isEmpty(value) ? command.error(toEmpty(option)) : parseArg(value, previous),
    );
  // Commander emits this event for each value that it reads.
  command.on(`option:${option.name()}`, (value: string | null) => {
    if (isThere && !REPEATABLE.has(option.long ?? "")) command.error(toRepeated(option));
    if (value !== null && isEmpty(value)) command.error(toEmpty(option));
    isThere = true;
  });
}

/** Usually an unset variable of a script. It would cause a search without results, or mean the current folder. */
const isEmpty = (value: string) => value.trim() === "";

function refuseEmptyArgument(command: Command): void {
  const index = command.args.findIndex(isEmpty);
  const name = command.registeredArguments[index]?.name();
  if (name !== undefined) command.error(`error: argument '${name}' is empty`);
}

function toRepeated(option: Option): string {
  const advice = isField(option) ? "leave one out, or find either by --where" : "leave one out";
  return `error: option '${option.flags}' is given twice and takes one value: ${advice}`;
}

function toEmpty(option: Option): string {
  const field = option.name().replaceAll("-", "_");
  const advice = isField(option) ? `, or find calls without one by --where '${field} == null'` : "";
  return `error: option '${option.flags}' has an empty value: give it one, or leave it out${advice}`;
}

/** Options for fields have a group in the help, or are hidden. */
const isField = ({ helpGroupHeading, hidden }: Option) => helpGroupHeading !== undefined || hidden;
