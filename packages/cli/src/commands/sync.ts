// `call-media sync`: adds new calls to the folder of an export.
import type { Command } from "commander";
import { addServiceOptions } from "../access/connect.ts";
import { ACCESS_HELP } from "../command-line/access-help.ts";
import { toWholeNumber } from "@call-media/terminal";
import {
  addThrottleOptions,
  EXPORT_HELP,
  type ThrottleFlags,
  runExportCommand,
} from "../export/command.ts";
import { toExportFolder } from "../export/folder/export-folder.ts";
import { type SyncFlags, toSyncPlan } from "../export/plan/sync-plan.ts";
import { addRangeOptions } from "../search/day-options.ts";
import { toDay } from "../search/day-options.ts";

const DEFAULT_OVERLAP_DAYS = 7;
const MAX_OVERLAP_DAYS = 3660;

const HELP = `
  $ call-media export --last 7d --out archive
  $ call-media sync archive

sync repeats the search of the export for the days since, up to --to (or the end of --month, or --on) or today. It reads
the last days of the export again (--overlap), because records may arrive late or change, and days whose journal was
lost or that changed while they were read; each record is added once. If a record was edited, the metadata has its
latest version alone: the earlier one moves to superseded.jsonl, so that no call is counted twice. Versions of a record
have the same call_id, ref_id, datetime and agent. A removed record stays in the metadata, and the report counts it.

Recordings that are there are fetched again only if a changed record lists others than before or, in an export with
--redact, might; they are not stored twice. If a call got a new recording without any change to its record, that is not
noticed.
${EXPORT_HELP}
${ACCESS_HELP}`;

export function configureSync(command: Command): void {
  const named = addServiceOptions(command.argument("<folder>", "the export directory"));
  addRangeOptions(named, ["month", "on"], { to: "to" })
    .option(
      "--to <day>",
      "the last day, YYYY-MM-DD (default: today in UTC+14, where days begin first)",
      toDay,
    )
    .option(
      "--overlap <days>",
      "how many days of the export to read again",
      toWholeNumber(1, MAX_OVERLAP_DAYS),
      DEFAULT_OVERLAP_DAYS,
    );
  addThrottleOptions(command).addHelpText("after", HELP).action(sync);
}

async function sync(path: string, flags: SyncFlags & ThrottleFlags): Promise<void> {
  const folder = toExportFolder(path);
  await runExportCommand(
    { folder, toPlan: (there, place) => toSyncPlan(there, flags, place) },
    flags,
  );
}
