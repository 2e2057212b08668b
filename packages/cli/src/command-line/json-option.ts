// --json, which every command with an answer has: what programs read.
import { type Command, Option } from "commander";

/** For a command that has json among the choices of its --format. */
export function createJsonOption(): Option {
  return new Option("--json", "the same as --format json").implies({ format: "json" });
}

/** Refuses the two at once. As a conflict of options commander would refuse what --json itself implies. */
export function refuseTwoFormats(command: Command): void {
  if (command.getOptionValue("json") === true && command.getOptionValueSource("format") === "cli")
    command.error("error: option '--json' cannot be used with option '--format <format>'");
}
