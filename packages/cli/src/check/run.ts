// The common part of `check` and `probe`: options for service and load, and the run.
import {
  type CheckOptions,
  checkService,
  DEFAULT_MAX_REQUESTS,
  type Report,
} from "@call-media/conformance";
import { type Command, Option } from "commander";
import { addServiceOptions } from "../access/connect.ts";
import { readTarget, type TargetFlags } from "../access/target.ts";
import { createProgressLine, io, toNumber } from "@call-media/terminal";
import { explainUnreachable } from "../failures/unreachable.ts";
import { createInterrupt } from "../interrupt.ts";

export interface RunFlags extends TargetFlags {
  readonly maxRequests: number;
  readonly rate?: number;
  readonly profileOut?: string;
}

export function addRunOptions(command: Command): Command {
  return addServiceOptions(command)
    .addOption(
      new Option("--max-requests <n>", "how many requests may be sent in all")
        .default(DEFAULT_MAX_REQUESTS)
        .argParser(toNumber(1, 1_000_000)),
    )
    .option(
      "--rate <n>",
      "how many requests may be sent in a second; as fast as it answers when left out",
      toNumber(0.1, 100_000),
    )
    .option(
      "--profile-out <file>",
      "write what was observed where the interface leaves it open, as a profile for the client",
    );
}

/** Runs the check until it is done, or Ctrl-C ends it. */
export async function run(flags: RunFlags, options: CheckOptions = {}): Promise<Report> {
  const { target, hints } = await readTarget(flags, io().env);
  using progress = createProgressLine(io().stderr);
  return await checkService(target, {
    ...options,
    explain: explainUnreachable,
    hints,
    maxRequests: flags.maxRequests,
    ...(flags.rate !== undefined && { requestsPerSecond: flags.rate }),
    signal: createInterrupt(),
    onProgress: ({ requests, maxRequests, doing }) =>
      progress.show(`${requests} of at most ${maxRequests} requests: ${doing}`),
  });
}
