// Parses the operator's command line, runs one command, and turns every expected failure into one line.
import { Command, CommanderError } from "commander";
import { console, io, type Io, printHelp, runWith, UsageError } from "@call-media/terminal";
import { COMMANDS } from "./commands.ts";

const EXAMPLES = `
To begin:
  $ call-media-server demo --serve         a service with invented calls, to try
  $ call-media-server import --data ./archive calls.jsonl
  $ call-media-server user add --data ./archive mia email_id=mia@example.com is_admin=true allow_download=true "allow_all_*=true"
  $ call-media-server app create --data ./archive --user mia
  $ call-media-server serve --data ./archive

More about a command: call-media-server import --help`;

async function createProgram(args: readonly string[], version: string): Promise<Command> {
  const program = new Command("call-media-server")
    .description("Run the Call Media Retrieval Service over an archive, and manage the archive.")
    .version(version)
    .addHelpText("after", EXAMPLES)
    .configureOutput({ writeOut: printHelp, writeErr: (said) => void io().stderr.write(said) })
    .configureHelp({ sortSubcommands: false })
    .exitOverride()
    .hook("preAction", (_program, command) => checkPaths(command))
    .showHelpAfterError("(add --help to see how this is used)");
  const asked = findCommandName(args);
  for (const { name, summary, load } of COMMANDS) {
    const command = program.command(name).description(summary);
    if (name === asked) (await load())(command);
  }
  return program;
}

/** The program's own options have no value, so the first word is the command; `help NAME` is `NAME --help`. */
function findCommandName(args: readonly string[]): string | undefined {
  const [first, second] = args.filter((arg) => !arg.startsWith("-"));
  return first === "help" ? second : first;
}

const PATHS = new Set([
  "data",
  "records",
  "recordings",
  "to",
  "from",
  "fromMedia",
  "records",
  "out",
  "media",
  "map",
  "rejects",
  "tlsCert",
  "tlsKey",
]);

// An unset shell variable results in an empty path, which would mean the current directory.
function checkPaths(command: Command): void {
  const options = command.options.filter((option) => PATHS.has(option.attributeName()));
  const empty = options.find((option) => command.getOptionValue(option.attributeName()) === "");
  if (empty !== undefined) throw new UsageError(`${empty.long} is empty: ${empty.description}`);
}

export interface Invocation {
  /** Without the program's own name. */
  readonly args: readonly string[];
  /** The version of this program. */
  readonly version: string;
}

/**
 * Runs in this process, with its own streams and environment unless others are given.
 *
 * @returns the exit code.
 * @throws the error if it is a fault of this program.
 */
export async function runProgram(asked: Invocation, own?: Io): Promise<number> {
  const command = () => runCommand(asked);
  return (own === undefined ? await command() : await runWith(own, command)) ?? DONE;
}

const DONE = 0;
const FAILED = 1;

/** @returns the exit code of a command that failed or set one; otherwise undefined. */
async function runCommand({ args, version }: Invocation): Promise<number | undefined> {
  try {
    await (await createProgram(args, version)).parseAsync(args, { from: "user" });
    return io().exitCode;
  } catch (error) {
    // Commander has already printed it.
    if (error instanceof CommanderError) return error.exitCode;
    const { toMessage } = await import("./failure.ts");
    const message = toMessage(error);
    if (message === undefined) throw error;
    const { toPrintable } = await import("@call-media/service/printable");
    console.error(`call-media-server: ${toPrintable(message)}`);
    return FAILED;
  }
}
