// Values that commander takes without a word: an option that has one value and is given twice, and an empty one.
import type { Command, Option } from "commander";

/** They make a list of what they are given. */
const REPEATABLE: ReadonlySet<string> = new Set([
  "--body",
  "--caller",
  "--relations",
  "--report",
  "--rule",
]);

/** From then on refuses them while a command line is read. The command has its options by now. */
export function refuseOddValues(command: Command): void {
  for (const option of command.options) if (!option.isBoolean()) listen(command, option);
  command.hook("preAction", () => refuseEmptyArgument(command));
}

function listen(command: Command, option: Option): void {
  let isThere = false;
  const { parseArg } = option;
  // A parser comes before, and would find another fault in nothing.
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

/** A variable of a script that is not set, most often: it would be a search that finds nothing, or the folder at hand. */
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
