// Reads files before the archive exists: `import --explain` shows their fields, and `import --suggest` drafts a mapping.
import {
  type Allowance,
  explainFiles,
  type FIVE9_REGIONS,
  type ImportOptions,
  ImportStopped,
  suggestMapping,
} from "@call-media/import";
import { console, io, UsageError } from "@call-media/terminal";
import type { PlaceFlags } from "../command-line/places.ts";
import { STOPPED, toExplanationText } from "./import-explanation.ts";
import { IN_DOUBT, printFormats, SOME_REJECTED, toDoubtText } from "./import-report.ts";

export interface ImportFlags extends PlaceFlags {
  readonly format: string;
  readonly map?: string;
  readonly maps?: string;
  readonly recordings?: string;
  readonly link?: true;
  readonly timezone?: string;
  readonly region?: keyof typeof FIVE9_REGIONS;
  readonly layout?: string;
  readonly filenameTemplate?: string;
  readonly rejects?: string;
  readonly orphans?: string;
  readonly state?: string;
  readonly settle: number;
  readonly metrics?: string;
  readonly missingMedia?: NonNullable<ImportOptions["missingMedia"]>;
  readonly notSound?: NonNullable<ImportOptions["notSound"]>;
  readonly skipUnknown?: true;
  readonly restoreErased?: true;
  readonly allow?: readonly Allowance[];
  readonly dryRun?: true;
  readonly explain?: true;
  readonly suggest?: true;
  readonly json?: true;
}

export async function explain(paths: string[], flags: ImportFlags, timeZone: string | undefined) {
  const explanation = await unlessStopped(explainFiles(toReading(paths, flags, timeZone)));
  if (explanation instanceof ImportStopped) {
    const { doubts } = explanation;
    const stopped = { files: [], doubts, isStopped: true };
    console.log(flags.json ? JSON.stringify(stopped) : toDoubtText(doubts, STOPPED));
    io().exitCode = IN_DOUBT;
    return;
  }
  console.log(flags.json ? JSON.stringify(explanation) : toExplanationText(explanation));
  if (explanation.files.some(({ unfit }) => unfit > 0)) io().exitCode = SOME_REJECTED;
  if (explanation.doubts.some(({ effect }) => effect === "stop")) io().exitCode = IN_DOUBT;
}

/** Prints a draft of a mapping for a person to complete. Throws `ImportError` for a file that does not yield one. */
export async function suggest([path = "", ...others]: readonly string[]): Promise<void> {
  if (others.length > 0) throw new UsageError("--suggest reads one file");
  console.log(JSON.stringify(await suggestMapping(path), null, 2));
}

export const toReading = (
  paths: readonly string[],
  flags: ImportFlags,
  timeZone: string | undefined,
) => ({
  paths,
  format: flags.format,
  mappingFile: flags.map,
  mapsDirectory: flags.maps,
  mediaDirectory: flags.recordings,
  timeZone,
  layout: flags.layout,
  filenameTemplate: flags.filenameTemplate,
  notSound: flags.notSound,
  skipsUnknown: flags.skipUnknown,
  allow: flags.allow,
  onRecognised: printFormats,
});

export async function unlessStopped<Done>(work: Promise<Done>): Promise<Done | ImportStopped> {
  return await work.catch((error: unknown) => {
    if (error instanceof ImportStopped) return error;
    throw error;
  });
}
