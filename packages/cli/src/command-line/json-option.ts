// --json, which every command with output has: output for programs.
import { type Command, Option } from "commander";

/** For a command that has json among the choices of its --format. */
export function createJsonOption(): Option {
  return new Option("--json", "the same as --format json").implies({ format: "json" });
}

/** Rejects both options together. A conflict in commander would also reject the value that --json implies. */
export function refuseTwoFormats(command: Command): void {
  if (command.getOptionValue("json") === true && command.getOptionValueSource("format") === "cli")
    command.error("error: option '--json' cannot be used with option '--format <format>'");
}
