// --json, which every command with an answer has: what programs read.
import { Option } from "commander";

/** For a command that has json among the choices of its --format. */
export function createJsonOption(): Option {
  return new Option("--json", "the same as --format json")
    .implies({ format: "json" })
    .conflicts("format");
}
