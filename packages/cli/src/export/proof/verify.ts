// Verifies an export without the service: reads every file, and compares it with manifest and report.
import { createHash, hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import {
  createFileCount,
  type ManifestEntry,
  REPORT,
  type Report,
  type Written,
} from "@call-media/handover";
import { toReadFault } from "../../failures/system-error.ts";
import { toCounted } from "../../terminal/counted.ts";
import type { ExportFolder } from "../folder/export-folder.ts";
import { hashFile, parseJson, readSize } from "../folder/read.ts";
import { findMisfits, type Found, isReport, type Metadata } from "./check-consistency.ts";
import { openManifest } from "./manifest.ts";
import { createRowCount } from "./row-count.ts";
import { createUnlistedFiles, type Difference } from "./unlisted-files.ts";

export interface Verified {
  readonly files: number;
  readonly bytes: number;
  /** Files that the manifest lists as not received. They are not differences. */
  readonly notReceived: number;
  readonly differences: readonly Difference[];
  /** Undefined if it is missing or damaged. */
  readonly report: Report | undefined;
  /** SHA-256 of report.json; null if it is missing. */
  readonly seal: string | null;
}

export interface VerifyOptions {
  /** The seal that the export printed. */
  readonly seal?: string | undefined;
  readonly signal: AbortSignal;
  readonly onFile: (files: number, bytes: number) => void;
}

/** @throws UsageError if the folder has no manifest. */
export async function verifyExport(
  folder: ExportFolder,
  { seal: written, signal, onFile }: VerifyOptions,
): Promise<Verified> {
  const differences: Difference[] = [];
  const manifest = openManifest(folder, differences);
  const unlisted = createUnlistedFiles(folder);
  const count = createFileCount();
  let [files, bytesRead] = [0, 0];
  let metadata: Metadata | undefined;
  for await (const entry of manifest.entries()) {
    signal.throwIfAborted();
    if (entry.kind !== "metadata") count.add(entry);
    if (!isReceived(entry)) continue;
    differences.push(...(await unlisted.add(entry.file)));
    const { rows, faults } = await compare(folder, entry);
    differences.push(...faults);
    const { kind, file, bytes, sha256, redacted } = entry;
    if (kind === "metadata") metadata = { written: { file, bytes, sha256 }, redacted, rows };
    onFile(++files, (bytesRead += bytes));
  }
  differences.push(...(await unlisted.end()));
  const counted = count.read();
  const found = { files: counted, manifest: await manifest.read(), metadata };
  const { misfits, ...sealed } = await judgeReport(folder, found, written);
  differences.push(...misfits);
  const notReceived = counted.expected - counted.complete;
  return { files, bytes: bytesRead, notReceived, differences, ...sealed };
}

/** No run repairs that: a new report has another seal. */
export const OTHER_SEAL = "is not the one that the seal is of";

interface Judged extends Pick<Verified, "report" | "seal"> {
  readonly misfits: readonly Difference[];
}

async function judgeReport(
  folder: ExportFolder,
  found: Found,
  written: string | undefined,
): Promise<Judged> {
  const content = await readContent(folder.toPath(REPORT));
  if (typeof content === "string")
    return { report: undefined, seal: null, misfits: [{ file: REPORT, what: content }] };
  const seal = content === undefined ? null : hash("sha256", content);
  const broken = { file: REPORT, what: OTHER_SEAL };
  const misfits = (written ?? seal) === seal ? [] : [broken];
  const report = parseJson(content?.toString() ?? "");
  if (isReport(report))
    return { report, seal, misfits: [...misfits, ...findMisfits(report, found)] };
  const what = content === undefined ? "is missing" : toFormFault(report);
  return { report: undefined, seal, misfits: [...misfits, { file: REPORT, what }] };
}

/** A text says why the file cannot be read. Undefined if it is missing. */
async function readContent(path: string): Promise<Buffer | string | undefined> {
  try {
    return (await readSize(path)) === undefined ? undefined : await readFile(path);
  } catch (error) {
    return toReadFault(error);
  }
}

const toFormFault = (report: unknown) =>
  report === undefined
    ? "is damaged: it is no JSON"
    : "is not in the form that this version of call-media writes: it was changed, or another version wrote it, which can verify it; export --resume writes it anew";

type Received = Written & Pick<ManifestEntry, "kind">;

const isReceived = (entry: ManifestEntry): entry is ManifestEntry & Received => entry.file !== null;

interface Compared {
  readonly faults: readonly Difference[];
  /** Number of records in metadata. */
  readonly rows: number | undefined;
}

async function compare(folder: ExportFolder, received: Received): Promise<Compared> {
  try {
    return await compareFile(folder.toPath(received.file), received);
  } catch (error) {
    return { faults: [{ file: received.file, what: toReadFault(error) }], rows: undefined };
  }
}

async function compareFile(
  path: string,
  { kind, file, bytes, sha256 }: Received,
): Promise<Compared> {
  const toFault = (what: string): Compared => ({ faults: [{ file, what }], rows: undefined });
  const size = await readSize(path);
  if (size === undefined) return toFault("is missing");
  if (size !== bytes)
    return toFault(`has ${toCounted(size, "byte")}, not ${bytes.toLocaleString("en")}`);
  const digest = createHash("sha256");
  const rows = kind === "metadata" ? createRowCount(file) : undefined;
  await hashFile(path, digest, rows?.add);
  if (digest.digest("hex") !== sha256) return toFault("has other bytes");
  return { faults: [], rows: rows?.read() };
}
