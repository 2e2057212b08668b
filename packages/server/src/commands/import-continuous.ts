// `import --state`: one run of a continuous import, its report and its metrics.
import { rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import {
  digestSettings,
  FAULT_KINDS,
  FILE_STATES,
  type FileOutcome,
  ImportError,
  importNewFiles,
  type ImportOptions,
  type ImportReport,
  ImportStopped,
  type LogMark,
  type NewFilesReport,
} from "@call-media/import";
import { toPrintable } from "@call-media/service/printable";
import { console, io, toCounted } from "@call-media/terminal";
import { IN_DOUBT, printOutcome, SOME_REJECTED, toRejectFile } from "./import-report.ts";
import { toCounts } from "./import-target.ts";

interface ContinuousOptions {
  /** The state file. */
  readonly state: string;
  /** Seconds. */
  readonly settle: number;
  /** The file for metrics. */
  readonly metrics: string | undefined;
  /** The options for reading files. */
  readonly settings: Omit<ImportOptions, "store" | "paths" | "onRecognised">;
  /** Does one import. */
  readonly bring: (paths: readonly string[], rejectFile: string) => Promise<Brought>;
  /** See `NewFilesOptions`. */
  readonly hasRow: (log: LogMark) => Promise<boolean>;
}

/** The result of an import. */
export interface Brought {
  readonly outcome: ImportReport | ImportStopped;
  /** The newest row of the access log; undefined before the archive exists. */
  readonly log: LogMark | undefined;
}

const FAILED = 1;

export async function importContinuously(
  paths: readonly string[],
  { state, settle, metrics, settings, bring, hasRow }: ContinuousOptions,
): Promise<void> {
  const { mappingFile, mapsDirectory, format, ...others } = settings;
  const mappings = [mappingFile, mapsDirectory].flatMap((path) => path ?? []);
  const report = await importNewFiles({
    paths,
    format,
    mapsDirectory,
    hasRow,
    stateFile: state,
    settleMs: settle * 1_000,
    by: await digestSettings(mappings, { format, ...others }),
    importFile: async (path) => {
      console.log(`${toPrintable(path)}:`);
      return await toFileOutcome(bring([path], toRejectFile(dirname(state))));
    },
  });
  if (!report.isAlone) {
    console.log("An import with this state file is running. Nothing was done.");
    return;
  }
  console.log(toText(report));
  if (metrics !== undefined) await writeMetrics(metrics, report);
  const code = toExitCode(report);
  if (code > 0) io().exitCode = code;
}

/** An archive that cannot be written ends the run; an unreadable file is skipped. */
async function toFileOutcome(work: Promise<Brought>): Promise<FileOutcome> {
  try {
    const { outcome: brought, log } = await work;
    const outcome = withoutOrphans(brought);
    const code = printOutcome(outcome);
    if (outcome instanceof ImportStopped) return { state: "stopped", reason: outcome.message };
    const state = code === 0 ? "imported" : code === IN_DOUBT ? "doubtful" : "rejected";
    return { state, log, rows: toCounts(outcome), sound: outcome.sound };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    console.error(toPrintable(error.message));
    return { state: "failed", reason: error.message };
  }
}

// The recordings of other files are in the same directory.
const withoutOrphans = (outcome: ImportReport | ImportStopped) =>
  outcome instanceof ImportStopped
    ? outcome
    : { ...outcome, doubts: (outcome.doubts ?? []).filter(({ name }) => name !== "orphans") };

const listAside = ({ present }: NewFilesReport) =>
  present.filter(({ state }) => state === "stopped" || state === "failed");

function toText(report: NewFilesReport): string {
  const { taken, waiting, gone } = report;
  const aside = listAside(report);
  const still = waiting.length === 0 ? "" : `, ${waiting.length} still changing`;
  return [
    `${toCounted(taken.length, "file")} read${still}, ${aside.length} left aside.`,
    ...aside.map(({ file, reason = "see the report of its import" }) =>
      toPrintable(`  ${file}: ${reason}`),
    ),
    ...gone.map((file) => toPrintable(`  ${file}: no longer there`)),
  ].join("\n");
}

/** The worst one, including files that earlier runs skipped. */
function toExitCode(report: NewFilesReport): number {
  const states = new Set([...report.taken, ...listAside(report)].map(({ state }) => state));
  if (states.has("failed")) return FAILED;
  if (states.has("stopped") || states.has("doubtful")) return IN_DOUBT;
  return states.has("rejected") ? SOME_REJECTED : 0;
}

const OUTCOMES = ["imported", "replaced", "unchanged", "erased_before", "rejected"] as const;

async function writeMetrics(path: string, report: NewFilesReport): Promise<void> {
  const { waiting, present, all } = report;
  const now = Date.now();
  const oldest = Math.max(0, ...waiting.map(({ sinceMs }) => now - sinceMs));
  const gauge = (name: string, help: string, samples: readonly string[]) => [
    `# HELP call_media_import_run_${name} ${help}`,
    `# TYPE call_media_import_run_${name} gauge`,
    ...samples.map((sample) => `call_media_import_run_${name}${sample}`),
  ];
  const files = FILE_STATES.map(
    (state) => `{state="${state}"} ${present.filter((one) => one.state === state).length}`,
  );
  const rows = OUTCOMES.map(
    (outcome) =>
      `{outcome="${outcome}"} ${all.reduce((sum, one) => sum + (one.rows?.[outcome] ?? 0), 0)}`,
  );
  const faults = FAULT_KINDS.map(
    (kind) => `{fault="${kind}"} ${all.reduce((sum, one) => sum + (one.sound?.[kind] ?? 0), 0)}`,
  );
  const lines = [
    ...gauge("timestamp_seconds", "When the last run ended.", [` ${Math.round(now / 1_000)}`]),
    ...gauge("files", "Files in the folders by outcome.", files),
    ...gauge("waiting_files", "Files that still change.", [` ${waiting.length}`]),
    ...gauge("oldest_waiting_seconds", "Age of the oldest that still changes.", [
      ` ${Math.round(oldest / 1_000)}`,
    ]),
    ...gauge("rows", "Rows of the latest import of each file.", rows),
    ...gauge("faulty_recordings", "Recordings with a fault of their sound in these rows.", faults),
  ];
  // A reader must not see an incomplete file.
  await writeFile(`${path}.tmp`, `${lines.join("\n")}\n`);
  await rename(`${path}.tmp`, path);
}
