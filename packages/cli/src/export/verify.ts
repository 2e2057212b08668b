// Whether an export is still what its manifest says: every file read again, without asking the service.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import { UsageError } from "../usage-error.ts";
import {
  type ExportFolder,
  isMissing,
  MANIFEST,
  RECORDINGS,
  REPORT,
  TRANSCRIPTS,
} from "./files.ts";
import type { ManifestEntry } from "./outputs.ts";
import { splitLines } from "./lines.ts";
import { parseJson } from "./plan.ts";
import type { Report } from "./report.ts";
import { createStrangers, type Difference } from "./strangers.ts";

export interface Verified {
  readonly files: number;
  readonly bytes: number;
  /** That the manifest has as not received; they are no difference. */
  readonly notReceived: number;
  readonly differences: readonly Difference[];
}

export interface VerifyOptions {
  readonly signal: AbortSignal;
  readonly onFile: (files: number, bytes: number) => void;
}

/** @throws UsageError where the folder has no manifest. */
export async function verifyExport(
  folder: ExportFolder,
  { signal, onFile }: VerifyOptions,
): Promise<Verified> {
  const differences: Difference[] = [];
  let [files, bytes, notReceived] = [0, 0, 0];
  const strangers = createStrangers(folder);
  for await (const { file, ...entry } of readManifest(folder, differences)) {
    signal.throwIfAborted();
    if (file === null) {
      notReceived++;
      continue;
    }
    differences.push(
      ...(await strangers.meet(file)),
      ...(await compare(folder, { file, ...entry })),
    );
    files++;
    bytes += entry.bytes ?? 0;
    onFile(files, bytes);
  }
  differences.push(...(await strangers.end()));
  return { files, bytes, notReceived, differences };
}

/** Lines that are none, and a manifest that is not the one of the report, are differences. */
async function* readManifest(
  folder: ExportFolder,
  differences: Difference[],
): AsyncGenerator<ManifestEntry> {
  const path = folder.toPath(MANIFEST);
  const hash = createHash("sha256");
  const size = await readSize(path);
  if (size === undefined)
    throw new UsageError(
      `${folder.path} has no ${MANIFEST}: it is no export, or one that has not come to its end`,
    );
  let number = 0;
  for await (const lines of splitLines(path))
    for (const { text } of lines) {
      hash.update(`${text}\n`);
      number++;
      const entry = parseJson(text);
      if (isEntry(entry)) yield entry;
      else differences.push({ file: MANIFEST, what: `line ${number} is no entry of a manifest` });
    }
  const report = parseJson(await readFile(folder.toPath(REPORT), "utf8").catch(() => ""));
  const told = (report as Partial<Report> | undefined)?.manifest?.sha256;
  if (told === undefined) differences.push({ file: REPORT, what: "is missing or damaged" });
  else if (told !== hash.digest("hex"))
    differences.push({ file: MANIFEST, what: `is not the one that ${REPORT} tells of` });
}

/** Any other path might lead out of the folder. */
const FILE = new RegExp(
  String.raw`^(?:metadata\.(?:jsonl|csv)|(?:${RECORDINGS}|${TRANSCRIPTS})/\d{4}-\d\d-\d\d/[^/\\\0]+)$`,
  "u",
);

function isEntry(value: unknown): value is ManifestEntry {
  if (typeof value !== "object" || value === null) return false;
  const { file, bytes, sha256 } = value as Partial<ManifestEntry>;
  if (file === null) return true;
  return (
    typeof file === "string" &&
    FILE.test(file) &&
    typeof bytes === "number" &&
    typeof sha256 === "string"
  );
}

type Listed = Pick<ManifestEntry, "bytes" | "sha256"> & { readonly file: string };

async function compare(folder: ExportFolder, listed: Listed): Promise<readonly Difference[]> {
  const { file, bytes, sha256 } = listed;
  const path = folder.toPath(file);
  const size = await readSize(path);
  if (size === undefined) return [{ file, what: "is missing" }];
  if (size !== bytes) return [{ file, what: `has ${size} bytes, not ${bytes}` }];
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex") === sha256 ? [] : [{ file, what: "has other bytes" }];
}

/** Links and folders are no files of an export. */
async function readSize(path: string): Promise<number | undefined> {
  try {
    const found = await lstat(path);
    return found.isFile() ? found.size : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
