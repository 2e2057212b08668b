// Reads the operator's command line, runs one command, turns every expected failure into one line.
import { NotWritten } from "@call-media/store";
import { ArchiveError } from "@call-media/store/sqlite";
import { ImportError } from "@call-media/store/import";
import { Command } from "commander";
import { addAuditCommand } from "./commands/audit.ts";
import { addBackupCommands } from "./commands/backup.ts";
import { addCredentialCommands } from "./commands/credentials.ts";
import { addDemoCommand } from "./commands/demo.ts";
import { addDoctorCommand } from "./commands/doctor.ts";
import { addExportCommand } from "./commands/export.ts";
import { printHelp } from "./commands/help-text.ts";
import { addImportCommand } from "./commands/import.ts";
import { toPrintable } from "./printable.ts";
import { addPurgeCommand } from "./commands/purge.ts";
import { addReindexCommand } from "./commands/reindex.ts";
import { addServeCommand } from "./commands/serve.ts";
import { UsageError } from "./commands/usage-error.ts";
import { addUserCommands } from "./commands/users.ts";
import { addVerifyCommand } from "./commands/verify.ts";
import { ListenError } from "./listen.ts";
import { TracingError } from "./observe/tracing-environment.ts";

const EXAMPLES = `
To begin:
  $ call-media-server demo --serve         a service with invented calls, to try
  $ call-media-server import --data ./archive calls.jsonl
  $ call-media-server user add --data ./archive mia email_id=mia@example.com is_admin=true "allow_all_*=true"
  $ call-media-server app create --data ./archive --user mia
  $ call-media-server serve --data ./archive

More about a command: call-media-server import --help`;

function createProgram(): Command {
  const program = new Command("call-media-server")
    .description("Run the Call Media Retrieval Service over an archive, and manage the archive.")
    .addHelpText("after", EXAMPLES)
    .configureOutput({ writeOut: printHelp })
    .configureHelp({ sortSubcommands: false })
    .hook("preAction", (_program, command) => checkPaths(command))
    .showHelpAfterError("(add --help to see how this is used)");
  addServeCommand(program);
  addDemoCommand(program);
  addImportCommand(program);
  addExportCommand(program);
  addUserCommands(program);
  addCredentialCommands(program);
  addAuditCommand(program);
  addBackupCommands(program);
  addVerifyCommand(program);
  addDoctorCommand(program);
  addReindexCommand(program);
  addPurgeCommand(program);
  return program;
}

const PATHS = new Set([
  "data",
  "to",
  "from",
  "out",
  "media",
  "map",
  "rejects",
  "tlsCert",
  "tlsKey",
]);

// As a variable of the shell gives that is not set. An empty path would be the folder in which the command is run.
function checkPaths(command: Command): void {
  const options = command.options.filter((option) => PATHS.has(option.attributeName()));
  const empty = options.find((option) => command.getOptionValue(option.attributeName()) === "");
  if (empty !== undefined) throw new UsageError(`${empty.long} is empty: ${empty.description}`);
}

const EXPECTED = [ArchiveError, ImportError, ListenError, NotWritten, TracingError, UsageError];

// What the operator can do something about, as one line; undefined for what is a fault of this program.
function toMessage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (EXPECTED.some((kind) => error instanceof kind) || "syscall" in error) return error.message;
  const isOfDatabase = "code" in error && error.code === "ERR_SQLITE_ERROR";
  return isOfDatabase ? `the archive could not be read or written: ${error.message}` : undefined;
}

/** Runs what the command line asks for; throws what is a fault of this program. */
export async function runProgram(): Promise<void> {
  try {
    await createProgram().parseAsync();
  } catch (error) {
    const message = toMessage(error);
    if (message === undefined) throw error;
    console.error(`call-media-server: ${toPrintable(message)}`);
    process.exitCode = 1;
  }
}
