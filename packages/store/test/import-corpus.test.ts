// Real files: every file of the corpus that lies beside the repository, or in the folder that CALL_MEDIA_CORPUS names, is
// imported as it is or refused for a reason, and the README says how many rows of them there are.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ImportError, importFiles } from "../src/import/index.ts";
import type { CallStore } from "../src/index.ts";
import { createArchive } from "./support/archives.ts";

const FOLDERS = ["metadata", "transcripts"];

// What no format of a contact centre is: notes on files, sounds by their names, marks on lines of other files.
const NO_FORMAT: Readonly<Record<string, readonly RegExp[]>> = {
  "metadata/copenhagen": [/calls\.README$/],
  "metadata/picovoice-barista": [/label\.json$/],
  "transcripts/asterisk-it": [/core-sounds-it\.txt\.gz$/],
  "transcripts/azure-speech": [/trans\.txt$/],
  "transcripts/ubuntu-irc": [/\.annotation\.txt$/],
};

interface Counts {
  readonly source: string;
  readonly formats: Set<string>;
  readonly refused: string[];
  readonly reasons: string[];
  files: number;
  read: number;
  imported: number;
  unchanged: number;
  rejected: number;
}

const corpus =
  process.env["CALL_MEDIA_CORPUS"] ??
  fileURLToPath(new URL("../../../../shared/corpus", import.meta.url));
const isThere = existsSync(corpus);
if (!isThere)
  console.warn("SKIPPED import-corpus.test.ts: no corpus, and CALL_MEDIA_CORPUS names no folder");

describe.skipIf(!isThere)("the corpus", () => {
  test("every file is imported, or refused for a reason; the README has the counts", async () => {
    const store = await createArchive();
    const counts: Counts[] = [];
    for (const source of await listSources()) counts.push(await importSource(store, source));

    for (const { source, read, imported, unchanged, rejected, refused, reasons } of counts) {
      expect(read, source).toBe(imported + unchanged + rejected);
      expect(reasons, source).toEqual([]);
      const expected = NO_FORMAT[source] ?? [];
      const surprising = refused.filter((file) => !expected.some((pattern) => pattern.test(file)));
      expect(surprising, source).toEqual([]);
    }
    const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
    expect(toCells(readme)).toContain(toCells(toTable(counts)));
  });
});

async function listSources(): Promise<string[]> {
  const sources = FOLDERS.map(async (folder) =>
    (await readdir(join(corpus, folder))).toSorted().map((name) => `${folder}/${name}`),
  );
  return (await Promise.all(sources)).flat();
}

async function importSource(store: CallStore, source: string): Promise<Counts> {
  const entries = await readdir(join(corpus, source), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const counts: Counts = {
    source,
    formats: new Set(),
    refused: [],
    reasons: [],
    files: files.length,
    read: 0,
    imported: 0,
    unchanged: 0,
    rejected: 0,
  };
  for (const file of files.toSorted()) await importFile(store, file, counts);
  return counts;
}

async function importFile(store: CallStore, file: string, counts: Counts): Promise<void> {
  const mapping = fileURLToPath(
    new URL(`corpus/${counts.source.replace(/^.*\//, "")}.json`, import.meta.url),
  );
  const mappingFile = counts.source.startsWith("metadata/") && existsSync(mapping) ? mapping : undefined;
  const onRecognised = (found: readonly { readonly format: string }[]) =>
    found.forEach(({ format }) => counts.formats.add(format));
  try {
    const report = await importFiles({ store, paths: [file], mappingFile, onRecognised });
    for (const key of ["read", "imported", "unchanged", "rejected"] as const)
      counts[key] += report[key];
    counts.reasons.push(...report.firstRejections.map(({ reason }) => reason));
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    counts.refused.push(file);
  }
}

function toTable(counts: readonly Counts[]): string {
  const header = "| source | files | format | of none | read | imported | unchanged | rejected |";
  const lines = counts.map(
    ({ source, formats, files, refused, ...rows }) =>
      `| ${source} | ${files} | ${[...formats].join(", ")} | ${refused.length} | ${rows.read} | ${rows.imported} | ${rows.unchanged} | ${rows.rejected} |`,
  );
  return [header, ...lines].join("\n");
}

// Without the line below the header, and without the spaces that a formatter puts between cells.
function toCells(table: string): string {
  return table
    .replace(/^\|[ -|]+\|\n/gm, (line) => (/^[| -]+$/.test(line.trim()) ? "" : line))
    .replace(/ *\| */g, "|");
}
