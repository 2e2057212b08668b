// `call-media-server purge`: calls taken out of an archive for good, by age or by identifier.
import { userInfo } from "node:os";
import { createInterface } from "node:readline/promises";
import {
  planPurge,
  purge,
  type PurgeFilter,
  type PurgeOptions,
  type PurgePlan,
} from "@call-media/store/keeping";
import type { Command } from "commander";
import { toErasedText } from "./erased-text.ts";
import { createProgress } from "./progress.ts";
import { UsageError } from "./usage-error.ts";

const HELP = `
purge removes records, their chats and search entries, and recordings that no other call has. The disk space is freed,
and nothing of them can be read from the archive's files any more. Users and flags stay.

  $ call-media-server purge --data ./archive --before 2024-01-01 --dry-run
  $ call-media-server purge --data ./archive --before 2024-01-01 --yes       for a nightly job
  $ call-media-server purge --data ./archive --call-id 300000000000001

--before removes the calls that began before that day in the archive's time zone, and chat messages of that time that
belong to no call. A call without a datetime is removed by --call-id only. Files that belong to no call are removed as
well. Linked recordings stay where they are; their paths are printed.

What stays: the access log still says who read which call_id and when, and that this purge was run; backups keep what
they hold. Make a new backup in an empty folder, and remove the old ones.

The service may keep running; an import or a backup may not. Run an interrupted purge again to complete it.

Exit code: 0 everything is removed, 1 nothing was, or it was interrupted, 2 the rows are removed, but the database's
log still holds some because another process was reading: run it again.`;

interface PurgeFlags {
  readonly data: string;
  readonly before?: string;
  readonly callId?: string;
  readonly dryRun?: true;
  readonly yes?: true;
}

const LOG_LEFT = 2;

export function addPurgeCommand(program: Command): void {
  program
    .command("purge")
    .description("remove calls for good, by age or by identifier")
    .requiredOption("--data <dir>", "the folder of the archive")
    .option("--before <day>", "remove calls that began before this day, YYYY-MM-DD")
    .option("--call-id <id>", "remove every record of this call")
    .option("--dry-run", "show what would be removed, and change nothing")
    .option("--yes", "do not ask")
    .addHelpText("after", HELP)
    .action(async (flags: PurgeFlags) => {
      const options = { directory: flags.data, filter: toFilter(flags) };
      if (flags.dryRun) return tell("Dry run, nothing was taken", await planPurge(options));
      if (!flags.yes && !(await confirm(options))) return console.log("Nothing was taken.");
      await run(options);
    });
}

function toFilter({ before, callId }: PurgeFlags): PurgeFilter {
  if ((before === undefined) === (callId === undefined))
    throw new UsageError("give either --before with a day or --call-id");
  if (callId === "") throw new UsageError("--call-id must not be empty");
  return callId === undefined ? { before: before ?? "" } : { callId };
}

async function confirm(options: PurgeOptions): Promise<boolean> {
  const plan = toErasedText(await planPurge(options)); // first: it refuses a wrong folder or day
  if (!process.stdin.isTTY)
    throw new UsageError("add --yes: there is no terminal to ask on; --dry-run says what would go");
  using terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`Take out ${plan}, for good? [y/N] `);
  return /^y(?:es)?$/i.test(answer.trim());
}

function tell(what: string, plan: PurgePlan): void {
  console.log(`${what}: ${toErasedText(plan)}.`);
  for (const path of plan.unlinked) console.log(`linked, and left where it is: ${path}`);
}

async function run(options: PurgeOptions): Promise<void> {
  using progress = createProgress();
  const report = await purge({
    ...options,
    operator: userInfo().username,
    onProgress: progress.update,
  });
  progress[Symbol.dispose]();
  tell("Taken out", report);
  if (report.isScrubbed) return;
  console.error(
    "call-media-server: the database's log still holds what was taken out, as somebody reads an old state: run purge again",
  );
  process.exitCode = LOG_LEFT;
}
