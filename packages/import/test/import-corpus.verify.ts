// Real files: every file of the corpus that lies beside the repository, or in the folder that CALL_MEDIA_CORPUS names, is
// imported as it is or refused for a reason, and the README says how many rows of them there are.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { importFiles, type Recognised } from "../src/index.ts";
import type { CallStore } from "@call-media/store";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";

const FOLDERS = ["metadata", "transcripts"];

// What no format of a contact centre is: notes on files, sounds by their names, marks on lines of other files.
const NO_FORMAT: Readonly<Record<string, readonly RegExp[]>> = {
  "metadata/copenhagen": [/calls\.README$/],
  "metadata/picovoice-barista": [/label\.json$/],
  "transcripts/asterisk-it": [/core-sounds-it\.txt\.gz$/],
  "transcripts/azure-speech": [/trans\.txt$/],
  "transcripts/primock57": [/notes\/[^/]*\.json$/],
  "transcripts/ubuntu-irc": [/\.annotation\.txt$/],
};

// What a transcript says that leaves its time to the call it belongs to.
const NO_TIME = /^datetime: .* the archive has no call "(.*)" that does: import the calls first/;

type Rows = Record<"read" | "imported" | "unchanged" | "rejected", number>;

interface Outcome {
  readonly source: string;
  readonly files: number;
  /** Files of no format. */
  readonly ofNone: number;
  readonly formats: ReadonlySet<string>;
  readonly reasons: readonly string[];
  readonly rows: Rows;
}

const corpus =
  process.env["CALL_MEDIA_CORPUS"] ??
  fileURLToPath(new URL("../../../../shared/corpus", import.meta.url));
const isThere = existsSync(corpus);
if (!isThere)
  console.warn("SKIPPED import-corpus.verify.ts: no corpus, and CALL_MEDIA_CORPUS names no folder");

describe.skipIf(!isThere)("the corpus", () => {
  test("every file is imported, or refused for a reason; the README has the counts", async () => {
    const lines: string[] = [];
    for (const source of await listSources()) {
      const store = createArchive();
      const first = await importSource(store, source);
      expect(first.rows.read, source).toBe(sumUp(first.rows));

      // Every rejected row lacks the time of its call alone: with the call it is imported.
      await importCalls(
        store,
        first.reasons.map((reason) => NO_TIME.exec(reason)?.[1] ?? reason),
      );
      const second = await importSource(store, source);
      expect([source, second.reasons]).toEqual([source, []]);
      expect(second.rows.unchanged).toBe(first.rows.imported);
      lines.push(toLine(first, second));
    }
    const readme = await readFile(new URL("corpus/README.md", import.meta.url), "utf8");
    expect(toCells(readme)).toContain(toCells(lines.join("\n")));
  });
});

function isOfNoFormat(source: string, file: string): boolean {
  return (NO_FORMAT[source] ?? []).some((pattern) => pattern.test(file));
}

async function listSources(): Promise<string[]> {
  const sources = FOLDERS.map(async (folder) =>
    (await readdir(join(corpus, folder))).toSorted().map((name) => `${folder}/${name}`),
  );
  return (await Promise.all(sources)).flat();
}

async function importSource(store: CallStore, source: string): Promise<Outcome> {
  const entries = await readdir(join(corpus, source), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  const ofNone = files.filter((file) => isOfNoFormat(source, file));
  const mappingFile = findMapping(source);
  for (const file of ofNone)
    await expect(importFiles({ store, paths: [file] })).rejects.toThrow("name its format");

  const paths = files.filter((file) => !ofNone.includes(file));
  const rejectFile = join(await createFolder(), "rejects.jsonl");
  const formats = new Set<string>();
  const onRecognised = (found: readonly Recognised[]) =>
    found.forEach(({ format }) => formats.add(format));
  const options = { store, paths, mappingFile, rejectFile, onRecognised };
  const rows = paths.length === 0 ? NOTHING : await importFiles(options);
  const reasons = rows.rejected === 0 ? [] : await readReasons(rejectFile);
  return { source, files: files.length, ofNone: ofNone.length, formats, reasons, rows };
}

const NOTHING: Rows = { read: 0, imported: 0, unchanged: 0, rejected: 0 };

function findMapping(source: string): string | undefined {
  const path = fileURLToPath(new URL(`corpus/${source}.json`, import.meta.url));
  return existsSync(path) ? path : undefined;
}

async function readReasons(rejectFile: string): Promise<string[]> {
  const lines = (await readFile(rejectFile, "utf8")).trim().split("\n");
  return lines.map((line) => JSON.parse(line).reason);
}

async function importCalls(store: CallStore, callIds: readonly string[]): Promise<void> {
  const datetime = "2026-01-01T00:00:00Z";
  const calls = [...new Set(callIds)].map((call_id) => ({ kind: "call", call_id, datetime }));
  await importFiles({ store, paths: [await writeLines("calls.jsonl", calls)], format: "jsonl" });
}

function sumUp({ imported, unchanged, rejected }: Rows): number {
  return imported + unchanged + rejected;
}

/** A line of the table in the README. */
function toLine({ source, files, ofNone, formats, rows }: Outcome, second: Outcome): string {
  const { read, imported, unchanged, rejected } = rows;
  const counts = [ofNone, read, imported, unchanged, rejected, second.rows.rejected];
  return `| ${[source, files, [...formats].join(", "), ...counts].join(" | ")} |`;
}

// Without the spaces that a formatter puts between cells.
function toCells(table: string): string {
  return table.replace(/ *\| */g, "|");
}
