#!/usr/bin/env node
// The program call-media: reads the command line, runs one command, turns every expected failure into one line.
import { Command, CommanderError } from "commander";
import { addCheckCommand } from "./commands/check.ts";
import { addProbeCommand } from "./commands/probe.ts";
import { UsageError } from "./usage-error.ts";
import { PROGRAM, readVersion } from "./version.ts";

const EXAMPLES = `
To begin:
  $ export CALL_MEDIA_SECRET_ID=... CALL_MEDIA_SECRET_KEY=...     or CALL_MEDIA_API_KEY
  $ call-media check --base-url https://archive.example.com       does the service keep the contract?
  $ call-media probe --base-url https://archive.example.com       how does it answer what the contract leaves open?

Each command explains itself: call-media check --help`;

/** Could not run. 1 is kept for a service that does not keep the contract, so nothing else may end with it. */
const UNABLE = 2;

function createProgram(): Command {
  const program = new Command(PROGRAM)
    .description("A Call Media Retrieval Service from the outside: over HTTP, read-only.")
    .version(readVersion())
    .addHelpText("after", EXAMPLES)
    .configureHelp({ sortSubcommands: false })
    .showHelpAfterError("(add --help to see how this is used)")
    .exitOverride();
  addCheckCommand(program);
  addProbeCommand(program);
  return program;
}

function toExitCode(error: unknown): number {
  // Commander has said it by now; its own code for a usage error is 1.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : UNABLE;
  const isExpected = error instanceof UsageError || (error instanceof Error && "syscall" in error);
  console.error(isExpected ? `${PROGRAM}: ${error.message}` : error);
  return UNABLE;
}

// Whoever reads may have seen enough, as `head` does. Node would end with 1.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = toExitCode(error);
}
