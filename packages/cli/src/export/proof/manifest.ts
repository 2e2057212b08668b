// Reads the manifest of an export, which may have been changed.
import {
  FAILURES,
  ITEM_KINDS,
  MANIFEST,
  type ManifestEntry,
  METADATA,
  RECORDINGS,
  SUPERSEDED,
  TRANSCRIPTS,
} from "@call-media/handover";
import { UsageError } from "@call-media/terminal";
import type { ExportFolder } from "../folder/export-folder.ts";
import { parseJson, readLines, readSize } from "../folder/read.ts";

/**
 * `onFault` is called with what is wrong with a line that is not an entry.
 *
 * @throws UsageError if the manifest is missing.
 */
export async function* readManifest(
  folder: ExportFolder,
  onFault: (what: string) => void,
): AsyncGenerator<ManifestEntry> {
  const path = folder.toPath(MANIFEST);
  if (((await readSize(path)) ?? 0) === 0)
    throw new UsageError(
      `${folder.path} has no ${MANIFEST}: it is not an export, or not finished; to finish it: call-media export --resume ${folder.named}`,
    );
  let number = 0;
  for await (const lines of readLines(path))
    for (const { text } of lines) {
      number++;
      const entry = parseJson(text);
      if (isEntry(entry)) yield entry;
      else onFault(`line ${number} is not an entry of a manifest`);
    }
}

const FILE = new RegExp(
  String.raw`^(?:metadata\.(?:${Object.keys(METADATA).join("|")})|${SUPERSEDED.replace(".", String.raw`\.`)}|(?:${RECORDINGS}|${TRANSCRIPTS})/\d{4}-\d\d-\d\d/[^/\\\0]+)$`,
  "u",
);

/** Another path could lead out of the folder. */
export const isListable = (file: string): boolean => FILE.test(file);

const FAILED: ReadonlySet<unknown> = new Set(FAILURES);
const KINDS: ReadonlySet<unknown> = new Set([...ITEM_KINDS, "superseded", "metadata"]);

function isEntry(value: unknown): value is ManifestEntry {
  const { kind, status, file, bytes, sha256, redacted } = Object(value) as Partial<ManifestEntry>;
  if (!KINDS.has(kind) || !Array.isArray(redacted)) return false;
  if (file === null) return FAILED.has(status) && bytes === null;
  return (
    status === "complete" &&
    typeof file === "string" &&
    isListable(file) &&
    typeof bytes === "number" &&
    typeof sha256 === "string"
  );
}
