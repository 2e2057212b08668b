// Reads the manifest of an export that anybody may have changed.
import { createHash } from "node:crypto";
import {
  FAILURES,
  ITEM_KINDS,
  MANIFEST,
  type ManifestEntry,
  METADATA,
  RECORDINGS,
  TRANSCRIPTS,
  type Written,
} from "@call-media/handover";
import { UsageError } from "../../failures/usage-error.ts";
import type { ExportFolder } from "../folder/export-folder.ts";
import { hashFile, parseJson, readLines, readSize } from "../folder/read.ts";
import type { Difference } from "./unlisted-files.ts";

export interface Manifest {
  /**
   * Adds lines that are not entries to the differences.
   *
   * @throws UsageError if there is no manifest.
   */
  readonly entries: () => AsyncGenerator<ManifestEntry>;
  /** Hashes the bytes of the file: its text does not show bytes that are not UTF-8. */
  readonly read: () => Promise<Written>;
}

export function openManifest(folder: ExportFolder, differences: Difference[]): Manifest {
  const path = folder.toPath(MANIFEST);
  return {
    async *entries() {
      if (((await readSize(path)) ?? 0) === 0)
        throw new UsageError(
          `${folder.path} has no ${MANIFEST}: it is no export, or one that has not come to its end`,
        );
      let number = 0;
      for await (const lines of readLines(path))
        for (const { text } of lines) {
          number++;
          const entry = parseJson(text);
          if (isEntry(entry)) yield entry;
          else
            differences.push({ file: MANIFEST, what: `line ${number} is no entry of a manifest` });
        }
    },
    async read() {
      const digest = createHash("sha256");
      const bytes = await hashFile(path, digest);
      return { file: MANIFEST, bytes, sha256: digest.digest("hex") };
    },
  };
}

/** Another path could lead out of the folder. */
const FILE = new RegExp(
  String.raw`^(?:metadata\.(?:${Object.keys(METADATA).join("|")})|(?:${RECORDINGS}|${TRANSCRIPTS})/\d{4}-\d\d-\d\d/[^/\\\0]+)$`,
  "u",
);

const FAILED: ReadonlySet<unknown> = new Set(FAILURES);
const KINDS: ReadonlySet<unknown> = new Set([...ITEM_KINDS, "metadata"]);

function isEntry(value: unknown): value is ManifestEntry {
  const { kind, status, file, bytes, sha256, redacted } = Object(value) as Partial<ManifestEntry>;
  if (!KINDS.has(kind) || !Array.isArray(redacted)) return false;
  if (file === null) return FAILED.has(status) && bytes === null;
  return (
    status === "complete" &&
    typeof file === "string" &&
    FILE.test(file) &&
    typeof bytes === "number" &&
    typeof sha256 === "string"
  );
}
