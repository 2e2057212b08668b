// Whether an export is still what its manifest and its report say: every file read again, without asking the service.
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
import { hashFile } from "../folder/digest.ts";
import { type ExportFolder } from "../folder/files.ts";
import { parseJson } from "../folder/parse-json.ts";
import { findMisfits, type Found, isReport, type Metadata } from "./fit.ts";
import { openManifest, readSize } from "./manifest.ts";
import { createRowCount } from "./row-count.ts";
import { createStrangers, type Difference } from "./strangers.ts";

export interface Verified {
  readonly files: number;
  readonly bytes: number;
  /** That the manifest has as not received; they are no difference. */
  readonly notReceived: number;
  readonly differences: readonly Difference[];
  /** Undefined where it is missing or damaged. */
  readonly report: Report | undefined;
  /** Of report.json; null where it is missing. Who knows it from elsewhere knows that nothing was changed. */
  readonly seal: string | null;
}

export interface VerifyOptions {
  /** Of the report as it was written, from elsewhere. */
  readonly seal?: string | undefined;
  readonly signal: AbortSignal;
  readonly onFile: (files: number, bytes: number) => void;
}

/** @throws UsageError where the folder has no manifest. */
export async function verifyExport(
  folder: ExportFolder,
  { seal: written, signal, onFile }: VerifyOptions,
): Promise<Verified> {
  const differences: Difference[] = [];
  const manifest = openManifest(folder, differences);
  const strangers = createStrangers(folder);
  const count = createFileCount();
  let [files, bytesRead] = [0, 0];
  let metadata: Metadata | undefined;
  for await (const entry of manifest.entries()) {
    signal.throwIfAborted();
    if (entry.kind !== "metadata") count.add(entry);
    if (!isReceived(entry)) continue;
    differences.push(...(await strangers.meet(entry.file)));
    const { rows, faults } = await compare(folder, entry);
    differences.push(...faults);
    const { kind, file, bytes, sha256, redacted } = entry;
    if (kind === "metadata") metadata = { written: { file, bytes, sha256 }, redacted, rows };
    onFile(++files, (bytesRead += bytes));
  }
  differences.push(...(await strangers.end()));
  const counted = count.read();
  const found = { files: counted, manifest: await manifest.read(), metadata };
  const { misfits, ...sealed } = await judgeReport(folder, found, written);
  differences.push(...misfits);
  const notReceived = counted.expected - counted.complete;
  return { files, bytes: bytesRead, notReceived, differences, ...sealed };
}

/** No run mends that: each report that is written anew has another seal. */
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

/** Of a file that cannot be read why, of none nothing. */
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
  /** Lines, which only metadata has. */
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
