// Reads the manifest of an export, which may have been changed.
import {
  FAILURES,
  ITEM_KINDS,
  MANIFEST,
  type ManifestEntry,
  METADATA,
  type MutedFile,
  RECORDINGS,
  SUPERSEDED,
  TRANSCRIPTS,
} from "@call-media/handover";
import { parseJson } from "../folder/read.ts";
import { type Contents, splitLines } from "./contents.ts";

/** Calls `onFault` with a description of each line that is not an entry. */
export async function* readManifest(
  contents: Contents,
  onFault: (what: string) => void,
): AsyncGenerator<ManifestEntry> {
  let number = 0;
  for await (const lines of splitLines(contents.read(MANIFEST)))
    for (const text of lines) {
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
  const entry = Object(value) as Partial<ManifestEntry>;
  const { kind, status, file, bytes, sha256, redacted, muted } = entry;
  if (!KINDS.has(kind) || !Array.isArray(redacted) || !isMutedOrNot(muted)) return false;
  if (file === null) return FAILED.has(status) && bytes === null;
  return (
    status === "complete" &&
    typeof file === "string" &&
    isListable(file) &&
    typeof bytes === "number" &&
    typeof sha256 === "string"
  );
}

function isMutedOrNot(value: unknown): boolean {
  const { original, spans } = Object(value) as Partial<MutedFile>;
  const isSpan = (span: unknown) => {
    const { from, to } = Object(span) as Partial<MutedFile["spans"][number]>;
    return typeof from === "number" && typeof to === "number";
  };
  return (
    value === undefined ||
    (typeof original?.sha256 === "string" && Array.isArray(spans) && spans.every(isSpan))
  );
}
