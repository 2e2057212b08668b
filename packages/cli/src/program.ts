// Runs one command, and reports every expected failure in one line.
import { Command, CommanderError } from "commander";
import { addCommonOptions, applyCommonOptions, endLog } from "./command-line/common-options.ts";
import { console, io, type Io, printHelp, runWith } from "@call-media/terminal";
import { toHelp } from "./command-line/help.ts";
import { refuseTwoFormats } from "./command-line/json-option.ts";
import { refuseOddValues } from "./command-line/option-values.ts";
import { toHint } from "./command-line/unknown-option.ts";
import { COMMANDS } from "./commands.ts";
import { DONE, toStopped, UNABLE } from "./exit-codes.ts";
import { PROGRAM, readVersion } from "./version.ts";

/**
 * Runs in this process, with its own streams and environment unless `own` is given.
 * @returns the exit code.
 */
export async function runProgram(args: readonly string[], own?: Io): Promise<number> {
  const command = () => runCommand(args);
  return own === undefined ? await command() : await runWith(own, command);
}

async function runCommand(args: readonly string[]): Promise<number> {
  const found = (await findExitCode(toAsked(args))) ?? DONE;
  const { stoppedBy } = io();
  const code = found === DONE || stoppedBy === undefined ? found : toStopped(stoppedBy);
  endLog(code);
  return code;
}

/** Undefined if the command neither failed nor set an exit code. */
async function findExitCode(args: readonly string[]): Promise<number | undefined> {
  try {
    await (await createProgram(args)).parseAsync(args, { from: "user" });
    return io().exitCode;
  } catch (error) {
    return await toExitCode(error);
  }
}

/** Minimum width in columns for the descriptions of options. Narrower ones are not wrapped. */
const MIN_HELP_WIDTH = 20;

async function createProgram(args: readonly string[]): Promise<Command> {
  const wanted = findCommandName(args);
  const program = new Command(PROGRAM)
    .version(readVersion())
    .showHelpAfterError("(add --help to see how this is used)")
    .configureOutput({
      writeOut: printHelp,
      writeErr: (said) => void io().stderr.write(said),
      outputError: (said, write) =>
        write(
          said +
            toHint(
              said,
              program.commands.find((command) => command.name() === wanted),
            ),
        ),
    })
    .configureHelp({ minWidthToWrap: MIN_HELP_WIDTH })
    .exitOverride()
    .hook("preAction", (_, command) => {
      refuseTwoFormats(command);
      applyCommonOptions(command, args);
    });
  program.helpInformation = toHelp;
  for (const { name, summary, load } of COMMANDS) {
    const command = program.command(name).description(summary);
    if (name !== wanted) continue;
    (await load())(command);
    addCommonOptions(command);
    refuseOddValues(command);
  }
  return program;
}

/** Drops the arguments of an unknown command, because Commander would print the main help for them. */
function toAsked(args: readonly string[]): readonly string[] {
  const [first, second] = args;
  const name = first === "help" ? second : first;
  const isCommand = COMMANDS.some((command) => command.name === name);
  return isCommand || name === undefined || name.startsWith("-") ? args : [name];
}

/** The first word is the command, because the program's own options have no values. `help NAME` means `NAME --help`. */
function findCommandName(args: readonly string[]): string | undefined {
  const words = args.filter((arg) => !arg.startsWith("-"));
  return words[0] === "help" ? words[1] : words[0];
}

async function toExitCode(error: unknown): Promise<number> {
  // Commander has already printed it. Its own code for a usage error is 1.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : UNABLE;
  const { toFailure } = await import("./failures/failure.ts");
  const { code, shown } = toFailure(error);
  console.error(typeof shown === "string" ? `${PROGRAM}: ${shown}` : shown);
  return code;
}
