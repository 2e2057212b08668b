// Verifies an export without the service: reads every file, and compares it with manifest and report.
import { hash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import {
  createCallCount,
  createFileCount,
  ITEM_KINDS,
  MANIFEST,
  type ManifestEntry,
  REPORT,
  type Report,
  type Written,
} from "@call-media/handover";
import { toReadFault } from "../../failures/system-error.ts";
import { toShellWord, UsageError } from "@call-media/terminal";
import { parseJson } from "../folder/read.ts";
import { findMisfits, isReport, type Metadata } from "./check-consistency.ts";
import { type Difference, findFault, hashBlocks } from "./compare-file.ts";
import type { Contents } from "./contents.ts";
import { readManifest } from "./manifest.ts";
import { type CheckedOriginals, checkOriginals } from "./originals.ts";
import { findUnlistedFiles } from "./unlisted-files.ts";

export interface Verified {
  readonly files: number;
  readonly bytes: number;
  /** Files that the manifest lists as not received. They are not differences. */
  readonly notReceived: number;
  readonly differences: readonly Difference[];
  /**
   * Files left in the folder by the operating system, such as .DS_Store, and an index. They are neither differences nor part of the export.
   */
  readonly ignored: readonly string[];
  /** Undefined if it is missing or damaged. */
  readonly report: Report | undefined;
  /** SHA-256 of report.json, or of the zip of a hand-over. Null if the report is missing, or the hand-over is unpacked. */
  readonly seal: string | null;
  /** The comparison of muted recordings with their originals; missing if it was not made. */
  readonly originals?: Omit<CheckedOriginals, "differences">;
  /** What neither the folder nor the seal proves, one clause each. Empty if the seal covers everything. */
  readonly unproved: readonly string[];
}

export interface VerifyOptions {
  /** The seal that the export printed. */
  readonly seal?: string | undefined;
  /** A folder with the unmuted originals of recordings. */
  readonly originals?: string | undefined;
  readonly signal: AbortSignal;
  readonly onFile: (files: number, bytes: number) => void;
}

/** @throws UsageError if the folder has no manifest. */
export async function verifyExport(
  contents: Contents,
  { seal: expectedSeal, originals, signal, onFile }: VerifyOptions,
): Promise<Verified> {
  if (((await contents.size(MANIFEST)) ?? 0) === 0)
    throw new UsageError(
      `${contents.path} has no ${MANIFEST}: it is not an export, or not finished; to finish it: call-media export --resume --out ${toShellWord(contents.path)}`,
    );
  const differences: Difference[] = [];
  const add = (file: string, what: string) => void differences.push({ file, what });
  const listed = new Set<string>();
  const count = createFileCount();
  let [files, bytesRead] = [0, 0];
  let metadata: Metadata | undefined;
  for await (const entry of readManifest(contents, (what) => add(MANIFEST, what))) {
    signal.throwIfAborted();
    if (ITEM_KINDS.some((kind) => kind === entry.kind)) count.add(entry);
    if (!isReceived(entry)) continue;
    const { kind, file, bytes, sha256, redacted } = entry;
    listed.add(file);
    const rows = kind === "metadata" ? createRowCount(file) : undefined;
    const fault = await findFault(contents, entry, rows?.add);
    if (fault !== undefined) add(file, fault);
    const written = { file, bytes, sha256 };
    if (kind === "metadata")
      metadata = { written, redacted, rows: fault === undefined ? rows?.read() : undefined };
    onFile(++files, (bytesRead += bytes));
  }
  const { ignored, ...unlisted } = await findUnlistedFiles(contents, listed);
  differences.push(...unlisted.differences);
  const { report, seal, fault } = await readReport(contents);
  if (seal !== undefined && seal !== (expectedSeal ?? seal)) add(REPORT, OTHER_SEAL);
  if (fault !== undefined) add(REPORT, fault);
  const counted = count.read();
  // Decoded text would hide bytes that are not UTF-8.
  const manifest = { file: MANIFEST, ...(await hashBlocks(contents.read(MANIFEST))) };
  const found = { files: counted, manifest, metadata };
  if (report !== undefined) differences.push(...findMisfits(report, found));
  const notReceived = counted.expected - counted.complete;
  const muted =
    originals === undefined ? undefined : await checkOriginals(contents, originals, signal);
  differences.push(...(muted?.differences ?? []));
  const unproved = expectedSeal === undefined ? [UNSEALED] : [];
  const read = { files, bytes: bytesRead, notReceived, differences, ignored };
  const compared = muted && {
    same: muted.same,
    missing: muted.missing,
    decoded: muted.decoded,
  };
  return {
    ...read,
    report,
    seal: seal ?? null,
    unproved,
    ...(compared && { originals: compared }),
  };
}

const UNSEALED =
  "that files, manifest and report were not changed together: compare the seal with the one that the export printed";

const isReceived = (entry: ManifestEntry): entry is ManifestEntry & Written => entry.file !== null;

const LINE_FEED = 0x0a;
const QUOTE = 0x22;

interface RowCount {
  readonly add: (block: Uint8Array) => void;
  /** Undefined if the file is not in its format. */
  readonly read: () => number | undefined;
}

/** JSON has one line per record. CSV has a header, and line feeds within quotes (RFC 4180). */
function createRowCount(file: string): RowCount {
  if (file.endsWith(".xlsx")) return createCallCount();
  const isCsv = file.endsWith(".csv");
  let [lines, isQuoted] = [0, false];
  return {
    add(block) {
      for (const byte of block)
        if (isCsv && byte === QUOTE) isQuoted = !isQuoted;
        else if (byte === LINE_FEED && !isQuoted) lines++;
    },
    read: () => (isCsv ? lines - 1 : lines),
  };
}

/** No run can repair this: a new report has another seal. */
export const OTHER_SEAL = "has another SHA-256 than the seal";

interface ReadReport {
  readonly report?: Report;
  /** Undefined if the file is missing or cannot be read. */
  readonly seal?: string;
  readonly fault?: string;
}

async function readReport(contents: Contents): Promise<ReadReport> {
  try {
    if ((await contents.size(REPORT)) === undefined) return { fault: "is missing" };
    const content = await buffer(contents.read(REPORT));
    const seal = hash("sha256", content);
    const report = parseJson(content.toString());
    return isReport(report) ? { report, seal } : { seal, fault: toFormFault(report) };
  } catch (error) {
    return { fault: toReadFault(error) };
  }
}

const toFormFault = (report: unknown) =>
  report === undefined
    ? "is damaged: it is not JSON"
    : "has another form than this version of call-media writes: it was changed, or another version wrote it; export --resume writes it again";
