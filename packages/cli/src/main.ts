#!/usr/bin/env node
// The program call-media: reads the command line, runs one command, turns every expected failure into one line.
import { Command, CommanderError } from "commander";
import { COMMANDS } from "./commands.ts";
import { DONE, UNABLE } from "./exit-codes.ts";
import { PROGRAM, readVersion } from "./version.ts";

const EXAMPLES = `
To begin:
  $ call-media login --base-url https://archive.example.com       keeps the address and who asks
  $ call-media whoami                                             does it let me in?
  $ call-media check                                              does the service keep the contract?

In a script, instead of login:
  $ export CALL_MEDIA_BASE_URL=https://archive.example.com CALL_MEDIA_API_KEY=...

Each command explains itself: call-media check --help
Ends with 0 when done, 1 when the service refused or has no such thing, 2 when the command cannot be carried out.`;

async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command(PROGRAM)
    .description("A Call Media Retrieval Service from the outside: over HTTP, read-only.")
    .version(readVersion())
    .addHelpText("after", EXAMPLES)
    .configureHelp({ sortSubcommands: false })
    .showHelpAfterError("(add --help to see how this is used)")
    .exitOverride();
  const wanted = findCommandName(args);
  for (const { name, summary, load } of COMMANDS) {
    const command = program.command(name).description(summary);
    if (name === wanted) (await load())(command);
  }
  return program;
}

/** The program's own options take no value, so that the first word is the command; `help NAME` is `NAME --help`. */
function findCommandName(args: readonly string[]): string | undefined {
  const words = args.filter((arg) => !arg.startsWith("-"));
  return words[0] === "help" ? words[1] : words[0];
}

async function toExitCode(error: unknown): Promise<number> {
  // Commander has said it by now; its own code for a usage error is 1.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : UNABLE;
  const { toFailure } = await import("./failure.ts");
  const { code, shown } = toFailure(error);
  console.error(typeof shown === "string" ? `${PROGRAM}: ${shown}` : shown);
  return code;
}

// Whoever reads may have seen enough, as `head` does. Node would end with 1.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(DONE);
});

try {
  await (await createProgram(process.argv.slice(2))).parseAsync();
} catch (error) {
  process.exitCode = await toExitCode(error);
}
