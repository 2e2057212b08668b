// The options of `check` and `probe` for the service and its load.
import type { Command } from "commander";
import { addServiceOptions } from "../access/connect.ts";
import { toNumber } from "@call-media/terminal";

export function addRunOptions(command: Command): Command {
  return addServiceOptions(command)
    .option(
      "--max-requests <n>",
      "how many requests may be sent in all; when left out, 60 for each operation: 900 for Call Media",
      toNumber(1, 1_000_000),
    )
    .option(
      "--rate <n>",
      "how many requests may be sent in a second; as fast as it answers when left out",
      toNumber(0.1, 100_000),
    )
    .option(
      "--profile-out <file>",
      "write what was observed where nothing is promised: of Call Media, a profile for the client",
    );
}
