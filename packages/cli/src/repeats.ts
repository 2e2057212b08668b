// An option that has one value and is given twice: refused, where commander would take the last without a word.
import type { Command, Option } from "commander";

/** They make a list of what they are given. */
const REPEATABLE: ReadonlySet<string> = new Set(["--report"]);

/** From then on refuses it while a command line is read. The command has its options by now. */
export function refuseRepeats(command: Command): void {
  for (const option of command.options)
    if (!option.isBoolean() && !REPEATABLE.has(option.long ?? "")) refuseRepeat(command, option);
}

function refuseRepeat(command: Command, option: Option): void {
  let isThere = false;
  // What commander itself listens to for each that it reads.
  command.on(`option:${option.name()}`, () => {
    if (isThere) command.error(toRefusal(option));
    isThere = true;
  });
}

function toRefusal({ flags, helpGroupHeading, hidden }: Option): string {
  // Those that search by a field are in a group of the help, or left out of it.
  const isField = helpGroupHeading !== undefined || hidden;
  const advice = isField ? "leave one out, or find either by --where" : "leave one out";
  return `error: option '${flags}' is given twice and takes one value: ${advice}`;
}
