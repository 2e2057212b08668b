// `export --dry-run`: counts what an export would contain, without writing anything.
import { toRecordingNames } from "@call-media/client";
import { FILE_KINDS, METADATA } from "@call-media/handover";
import type { ParsedTarget } from "../access/target.ts";
import {
  console,
  createProgressLine,
  printAccount,
  toCounted,
  toProgressOutput,
} from "@call-media/terminal";
import { createSearching, createWhere } from "./job.ts";
import type { Plan } from "./plan/plan.ts";
import { findEndDate, openDays, toSpan } from "./plan/search-days.ts";
import { createThrottle, type ThrottleOptions } from "./throttle/throttle.ts";

export interface DryRun {
  readonly plan: Plan;
  readonly target: ParsedTarget;
  readonly limits: ThrottleOptions;
  readonly signal: AbortSignal;
  readonly isJson: boolean;
}

/** Reads all records of the search. Counts those that would be written, and their recordings. */
export async function printDryRun({ plan: planned, isJson, ...run }: DryRun): Promise<void> {
  const { target, signal } = run;
  const throttle = createThrottle({ ...run.limits, signal });
  const toSearch = createSearching(target, { throttle, signal });
  const days = toSpan(planned.rounds);
  const plan = { ...planned, endDate: (await findEndDate(toSearch(planned), days)) ?? null };
  const search = toSearch(plan);
  const where = createWhere({ plan, search, onUnreadable: () => {} });
  using progress = createProgressLine(toProgressOutput());
  let [read, records, recordings] = [0, 0, 0];
  const missingIds = new Set(plan.ids);
  for await (const page of openDays(search, days).pages()) {
    const wanted = await where(page.records);
    read += page.records.length;
    records += wanted.length;
    for (const { call_id, recordings: names } of wanted) {
      missingIds.delete(call_id ?? "");
      recordings += toRecordingNames(names).length;
    }
    progress.show(`${toCounted(read, "record")} read`);
  }
  progress.show("");
  const { baseUrl, files } = plan;
  const kinds = { read, records, recordings: files.includes("recordings") ? recordings : 0 };
  const metadata = METADATA[plan.format];
  const missing = plan.ids && [...missingIds];
  if (isJson)
    return console.log(
      JSON.stringify(
        { isDryRun: true, baseUrl, ...days, ...kinds, files, metadata, missing },
        undefined,
        2,
      ),
    );
  const chats = files.includes("transcripts")
    ? ", and the transcript of each call that has one"
    : "";
  printAccount(
    [
      `dry run: nothing was written; ${days.from} to ${days.to} of ${baseUrl}`,
      `records  ${toCounted(records, "record")} in ${metadata}, of ${read.toLocaleString("en")} that were read`,
      `files    ${files.length < FILE_KINDS.length ? `${files.join(", ") || "none"} alone: ` : ""}${toCounted(kinds.recordings, "recording")}${chats}`,
      ...(missing?.[0] === undefined
        ? []
        : [`missing  ${missing.join(", ")}: not found in these days`]),
    ].join("\n"),
    false,
  );
}
