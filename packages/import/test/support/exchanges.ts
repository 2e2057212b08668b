// Two columns or members of a mapping exchanged, in all of its templates: what a person does who takes one for the other.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { exportArchive, EXPORT_FORMATS } from "../../src/export/index.ts";
import { importFiles, ImportError } from "../../src/index.ts";
import { createArchive, writeLines } from "./archives.ts";

export const MAPS = join(dirname(fileURLToPath(import.meta.url)), "../../maps");

interface Piece {
  readonly file: string;
  readonly text?: readonly string[];
  readonly json?: object;
}

export interface Given {
  readonly samples: readonly (Piece & {
    readonly zone?: string;
    readonly with?: readonly Piece[];
  })[];
  readonly [key: string]: unknown;
}

/** What became of an exchange, by "one, other". */
export type Outcomes = Readonly<
  Record<"stopped" | "rejected" | "same" | "said" | "silent", string[]>
>;

// What reads the records; the rest tells which file it is.
const READING = new Set(["let", "fields", "media", "identity", "each", "chats", "group"]);

/** The mapping is given as an operator's own, without its samples. Throws if it can read none of them so. */
export async function exchangeAll({ samples, ...mapping }: Given): Promise<Outcomes> {
  const outcomes: Outcomes = { stopped: [], rejected: [], same: [], said: [], silent: [] };
  const read = Object.entries(mapping).filter(([key]) => READING.has(key));
  const others = new Set(
    [mapping["let"], mapping["join"]].flatMap((one) => Object.keys(one ?? {})),
  );
  const optional = [...new Set(read.flatMap(([, value]) => listNames(value)))].filter(
    (name) => /^(?!\$)|^\$each\./.test(name) && !others.has(name.split(".")[0] ?? ""),
  );
  const names = optional.filter((name) => !name.startsWith("$"));
  const readable = { ...mapping, optional }; // of several dialects each sample has one
  const bases = [];
  for (const sample of samples) {
    const paths = await Promise.all([sample, ...(sample.with ?? [])].map(writePiece));
    const base = await bring(readable, paths, sample.zone);
    if (base !== "stopped") bases.push({ paths, zone: sample.zone, base });
  }
  if (bases.length === 0) throw new Error("no sample can be read");
  for (const [index, one] of names.entries())
    for (const other of names.slice(index + 1)) {
      const changed = Object.fromEntries(
        read.map(([key, value]) => [key, exchange(value, one, other)]),
      );
      let outcome: keyof Outcomes = "same";
      for (const { paths, zone, base } of bases) {
        outcome = compare(await bring({ ...readable, ...changed }, paths, zone), base, outcome);
        if (outcome === "stopped" || outcome === "rejected") break;
      }
      outcomes[outcome].push(`${one}, ${other}`);
    }
  return outcomes;
}

interface Done {
  readonly rejected: number;
  readonly doubts: readonly string[];
  readonly records: string;
}

function compare(brought: Done | "stopped", base: Done, before: keyof Outcomes): keyof Outcomes {
  if (brought === "stopped") return "stopped";
  if (brought.rejected > base.rejected) return "rejected";
  if (brought.records === base.records || before === "silent") return before;
  return brought.doubts.some((doubt) => !base.doubts.includes(doubt)) ? "said" : "silent";
}

async function bring(
  mapping: object,
  paths: readonly string[],
  timeZone = "UTC",
): Promise<Done | "stopped"> {
  const mappingFile = await writeLines("map.json", [mapping]);
  const store = createArchive(timeZone);
  const options = { store, paths, mappingFile, timeZone, missingMedia: "name" } as const;
  try {
    const { rejected, doubts = [] } = await importFiles(options);
    const lines: string[] = [];
    const to = async (line: string) => void lines.push(line);
    await exportArchive({ archive: store.maintenance, format: EXPORT_FORMATS.jsonl, to });
    const texts = doubts.map(({ name, first }) => `${name}: ${first.join()}`);
    return { rejected, doubts: texts, records: lines.toSorted().join("") };
  } catch (error) {
    if (error instanceof ImportError) return "stopped";
    throw error;
  }
}

const writePiece = ({ file, text, json }: Piece) =>
  writeLines(file.replace(/^.*[/]/, ""), text ?? [json ?? {}]);

// Other braces are those of patterns: \d{2,6}.
const NAME = /\{([^{},]*\p{L}[^{},]*)\}/gu;

function listNames(value: unknown): readonly string[] {
  if (typeof value === "string") return [...value.matchAll(NAME)].map(([, name = ""]) => name);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap((pair) => pair.flatMap(listNames));
}

function exchange(value: unknown, one: string, other: string): unknown {
  if (typeof value === "string")
    return value.replaceAll(NAME, (whole, name: string) =>
      name === one ? `{${other}}` : name === other ? `{${one}}` : whole,
    );
  if (Array.isArray(value)) return value.map((inner) => exchange(inner, one, other));
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value).map((pair) => pair.map((part) => exchange(part, one, other)));
  return Object.fromEntries(pairs);
}
