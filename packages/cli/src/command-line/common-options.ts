// The options of every command: how much it prints, and the log file.
import { closeSync, openSync, writeSync } from "node:fs";
import { type Command, Option } from "commander";
import { io, type Manner, UsageError } from "@call-media/terminal";
import { checkWritable } from "../files/output-file.ts";
import { permissions } from "../files/written-files.ts";
import { PROGRAM, readVersion } from "../version.ts";

const GROUP = "Messages:";

interface CommonFlags {
  readonly quiet?: true;
  readonly verbose?: true;
  readonly logFile?: string;
  readonly groupReadable?: true;
}

export function addCommonOptions(command: Command): void {
  const options = [
    new Option("--quiet", "say nothing but results, warnings and failures").conflicts("verbose"),
    new Option("--verbose", "say each request, its status and how long it took"),
    new Option("--log-file <file>", "append every message and request to this file, with its time"),
  ];
  for (const option of options) command.addOption(option.helpGroup(GROUP));
}

/** For the commands that write files of calls. */
export function addGroupOption(command: Command): Command {
  return command.option(
    "--group-readable",
    "what is written may also be read by the group of the file (0640); else by its owner alone",
  );
}

/** Applies the options to this run. @throws UsageError if the log file cannot be written. */
export function applyCommonOptions(command: Command, args: readonly string[]): void {
  const { quiet, verbose, logFile, groupReadable } = command.opts<CommonFlags>();
  const run = io();
  run.manner = {
    isQuiet: quiet === true,
    isVerbose: verbose === true,
    isForGroup: groupReadable === true,
    log: undefined,
  };
  // The user's umask may be narrower, and would remove the group's right.
  if (groupReadable === true) process.umask(permissions().umask);
  if (logFile !== undefined) run.manner = { ...run.manner, log: openLog(logFile) };
  run.manner.log?.(`${PROGRAM} ${readVersion()}: ${args.join(" ")}`);
}

/** Logs the exit code. */
export function endLog(exitCode: number): void {
  io().manner.log?.(`exit code ${exitCode}`);
}

/** Writes each message immediately, so that the log is complete if the program crashes. */
function openLog(path: string): Manner["log"] {
  checkWritable("--log-file", path);
  const append = (text: string) => {
    const file = openSync(path, "a", permissions().file);
    try {
      writeSync(file, `${text.replaceAll(/^/gm, `${new Date().toISOString()} `)}\n`);
    } finally {
      closeSync(file);
    }
  };
  try {
    closeSync(openSync(path, "a", permissions().file));
  } catch (error) {
    throw new UsageError(`--log-file: ${path} cannot be written`, { cause: error });
  }
  let isBroken = false;
  return (text) => {
    try {
      append(text);
    } catch (error) {
      // A full disk must not end the command. One warning is enough.
      if (!isBroken) io().stderr.write(`Warning: ${path} is not complete: ${String(error)}\n`);
      isBroken = true;
    }
  };
}
