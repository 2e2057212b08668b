// Adds up the results for the files of a hand-over: its manifest and its report.
import { createFailureList } from "../export/failure-list.ts";
import { toReport } from "../export/findings.ts";
import { createCallTally } from "../export/call-tally.ts";
import { joinWindows } from "../export/join-windows.ts";
import { type ManifestEntry, toManifestEntry, type Written } from "../export/manifest.ts";
import { createFileCount, type Report, toWindow } from "../export/report.ts";
import type { HandedCall, HandOverSource } from "./source.ts";

export function createSummary({ search, exportedBy, beganAt, now, spans }: HandOverSource) {
  const files = createFileCount();
  const failures = createFailureList();
  const windows = spans.map(toWindow);
  const tally = createCallTally();
  const areNamed = !search.redacted.includes("call_id");
  return {
    failures: failures.groups,
    /** Returns the lines of the manifest. */
    add: (call: HandedCall): readonly ManifestEntry[] => {
      if (!call.isSuperseded) tally.add(call.record);
      for (const file of call.files) windows[call.span]?.add(file);
      const entries = toEntries(call, search);
      for (const entry of entries) {
        files.add(entry);
        failures.add(entry);
      }
      return entries;
    },
    toReport: (metadata: Written, manifest: Written): Report =>
      toReport(search, exportedBy, {
        beganAt,
        finishedAt: now().toISOString(),
        metadata,
        manifest,
        files: files.read(),
        found: areNamed ? tally.found() : undefined,
        windows: joinWindows(windows.map(({ read }) => read())),
      }),
  };
}

/** The recipient of a file need not know how many requests it took. */
export const toEntries = (
  { record, files }: HandedCall,
  { redacted }: Pick<HandOverSource["search"], "redacted">,
): readonly ManifestEntry[] =>
  files
    .filter(({ outcome }) => outcome.status !== "none")
    .map(({ item, outcome }) =>
      toManifestEntry(record, { ...item, ...outcome, attempts: undefined }, redacted),
    );
