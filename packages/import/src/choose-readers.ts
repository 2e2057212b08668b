// Chooses the reader of each file: by the format that was named, else by the one that the file's beginning shows.
import type { Head } from "./head.ts";
import { ImportStopped } from "./doubts/import-stopped.ts";
import { ImportError } from "./import-error.ts";
import type { ReadOptions, FormatOption } from "./formats/format.ts";
import type { ImportOptions, Recognised, SkippedFile } from "./import-options.ts";
import { type Formats, getFormat, listFormats } from "./formats/formats.ts";
import { findMisfit, findMissingColumn, readHeader } from "./formats/mapping/misfit.ts";
import { judgeHeaders, type TableHeader } from "./formats/mapping/header-proof.ts";
import { listNames } from "./formats/mapping/mapping.ts";
import { readProved } from "./formats/mapping/samples.ts";
import { findMissingKind } from "./formats/jsonl.ts";
import type { Reader, SourceFile } from "./source-row.ts";
import { isXml } from "./xml.ts";

export interface ReadableFile {
  readonly file: SourceFile;
  readonly read: Reader;
  /** True if the other files have to be in the archive first. */
  readonly asksArchive: boolean;
}

type Options = ReadOptions &
  Pick<ImportOptions, "format" | "skipsUnknown" | "onRecognised"> & { readonly formats: Formats };

/** The extensions of the files that are read in a folder. */
export function toExtensions({
  format = "auto",
  formats,
}: Pick<Options, "formats"> & Partial<Pick<Options, "format">>): readonly string[] {
  if (format !== "auto") return getFormat(formats, format).extensions;
  const all = [...formats.values()];
  const clear = all.flatMap(({ extensions, ambiguous = [] }) =>
    extensions.filter((extension) => !ambiguous.includes(extension)),
  );
  return [...new Set(clear)];
}

export interface Chosen {
  readonly files: readonly ReadableFile[];
  /** Files of no known format, if such files are to be skipped. */
  readonly skipped: readonly SkippedFile[];
  /** Parts of files that are not read. */
  readonly leftOut: readonly SkippedFile[];
}

/**
 * Throws `ImportError` for a file of no or of several formats, and for options that its format does not accept. With
 * `skipsUnknown` files of no format are skipped.
 */
export async function chooseReaders(
  files: readonly SourceFile[],
  options: Options,
): Promise<Chosen> {
  const { chosen, skipped } = await chooseFormats(files, options);
  await checkTables(chosen, options);
  const readers = new Map<string, Reader>();
  for (const [format, its] of Map.groupBy(chosen, (one) => one.format)) {
    const ofFormat = its.map(({ file }) => file);
    readers.set(format, await createReader(format, options, ofFormat));
  }
  const readable = chosen.flatMap(({ file, format }) => {
    const read = readers.get(format);
    const { asksArchive } = getFormat(options.formats, format);
    return read === undefined ? [] : [{ file, read, asksArchive: asksArchive === true }]; // every format has one
  });
  return {
    files: readable,
    skipped,
    leftOut: chosen.flatMap(({ file }) =>
      (file.leftOut ?? []).map(({ file: name, reason }) => ({ file: name, reason })),
    ),
  };
}

/** Readers that ask the archive come last. */
export const toTurns = (files: readonly ReadableFile[]): readonly (readonly ReadableFile[])[] =>
  [false, true]
    .map((asks) => files.filter(({ asksArchive }) => asksArchive === asks))
    .filter((some) => some.length > 0);

// A missing column would otherwise show after earlier files had been written.
async function checkTables(
  chosen: readonly ChosenFile[],
  { mappingFile, timeZone, allow = [] }: Options,
): Promise<void> {
  const tables = chosen.filter(({ format }) => format === "csv");
  if (mappingFile === undefined || tables.length === 0) return;
  const mapping = await readProved(mappingFile, timeZone);
  const headers: TableHeader[] = [];
  for (const { file } of tables) {
    const head = await file.peek();
    const columns = head && readHeader(head, mapping);
    if (columns?.length) headers.push({ file: file.name, columns });
  }
  const doubts = judgeHeaders(headers, mapping);
  if (doubts.length > 0 && !allow.includes("empty")) throw new ImportStopped(doubts);
  const known = { ...mapping, optional: listNames(mapping) };
  for (const { file, columns } of headers) {
    const misfit = findMissingColumn(columns, known);
    if (misfit !== undefined) throw new ImportError(`${file}: ${misfit}`);
  }
}

interface ChosenFile {
  readonly file: SourceFile;
  readonly format: string;
}

async function chooseFormats(
  files: readonly SourceFile[],
  options: Options,
): Promise<{ readonly chosen: readonly ChosenFile[]; readonly skipped: readonly SkippedFile[] }> {
  const { format = "auto", skipsUnknown = false, onRecognised } = options;
  if (format !== "auto" && !skipsUnknown)
    return { chosen: files.map((file) => ({ file, format })), skipped: [] };
  const chosen: ChosenFile[] = [];
  const recognised: Recognised[] = [];
  const skipped: SkippedFile[] = [];
  const recognise = await createRecogniser(options);
  for (const file of files) {
    const found = await recognise(file);
    if ("unknown" in found && !skipsUnknown) throw new ImportError(`${file.name} ${found.unknown}`);
    if ("unknown" in found) skipped.push({ file: file.name, reason: found.unknown });
    else {
      recognised.push({ file: file.name, ...found });
      chosen.push({ file, format: found.format });
    }
  }
  const [first] = skipped;
  if (first !== undefined && chosen.length === 0)
    throw new ImportError(`no file is of a known format: ${first.file} ${first.reason}`);
  onRecognised?.(recognised, skipped);
  return { chosen, skipped };
}

const OPTIONS: Readonly<Record<FormatOption, string>> = {
  mappingFile: "mapping file: it has its own fields",
  layout: "layout: it has one of its own",
  filenameTemplate: "template of file names",
};

async function createReader(
  name: string,
  options: Options,
  files: readonly SourceFile[],
): Promise<Reader> {
  const { takes = [], createReader: create } = getFormat(options.formats, name);
  for (const [option, what] of Object.entries(OPTIONS)) {
    if (options[option as FormatOption] !== undefined && !takes.includes(option as FormatOption))
      throw new ImportError(`${name} takes no ${what}`); // the keys of the table above
  }
  return await create(options, files);
}

type Candidate = Omit<Recognised, "file">;

/** The format of a file, or why it is of none, as the end of a sentence about it. */
type Recognise = (file: SourceFile) => Promise<Candidate | { readonly unknown: string }>;

async function createRecogniser(options: Options): Promise<Recognise> {
  const { format = "auto", layout, mappingFile, skipsUnknown = false, timeZone } = options;
  const isMapped = mappingFile !== undefined && ["auto", "csv", "json"].includes(format);
  const mapping = isMapped && skipsUnknown ? await readProved(mappingFile, timeZone) : undefined;
  const listCandidates = (head: Head): readonly Candidate[] => {
    if (isMapped) return [toMapped(head, mappingFile, options.formats)];
    if (format === "auto") return findCandidates(head, options.formats);
    const { recognise: find, title } = getFormat(options.formats, format);
    const because = layout === undefined ? find(head) : "by its layout";
    return because === undefined ? [] : [{ format, title, because }];
  };
  return async (file) => {
    const head = await file.peek();
    if (head === undefined)
      throw new ImportError(`${file.name} is a pipe, which cannot be read twice: name its format`);
    const misfit = mapping && findMisfit(head, mapping);
    if (misfit !== undefined) return { unknown: misfit };
    const candidates = listCandidates(head);
    const [only, ...others] = candidates;
    if (only === undefined) return { unknown: toUnknown(head, options.formats) };
    if (others.length === 0) return only;
    const list = candidates.map((one) => `${one.format} (${one.because})`).join(", ");
    throw new ImportError(`${file.name} may be ${list}: name its format`);
  };
}

function findCandidates(head: Head, formats: Formats): readonly Candidate[] {
  return [...formats].flatMap(([name, { title, recognise }]) => {
    const because = recognise(head);
    return because === undefined ? [] : [{ format: name, title, because }];
  });
}

// A mapping says what columns or members are, whatever wrote them.
function toMapped({ json, text }: Head, mappingFile: string, formats: Formats): Candidate {
  const format = json === undefined ? "csv" : "json";
  return {
    format,
    title: isXml(text) ? "any XML" : getFormat(formats, format).title,
    because: `by the mapping ${mappingFile}`,
  };
}

function toUnknown({ text, firstLine, json }: Head, formats: Formats): string {
  if (text.trim() === "") return "is empty: nothing shows its format";
  if (text.includes("\0")) return "is not text, or it is UTF-16 without a byte order mark";
  if (firstLine.includes("\ufffd"))
    return "is not text in UTF-8: save it as such, or name its format";
  const missingKind = findMissingKind(json);
  if (missingKind !== undefined) return missingKind;
  const names = listFormats(formats)
    .map((format) => format.name)
    .join(", ");
  const beginning =
    json === undefined
      ? `begins with ${toQuoted(firstLine.slice(0, 100))}, which shows no known format`
      : `is ${isXml(text) ? "XML" : "JSON"}, but its first record is that of no known format`;
  return `${beginning}: name its format (--format ${names}), or give a mapping (--map) that says which ${json === undefined ? "column" : "member"} becomes which field`;
}

/** Without characters that would move the cursor of a terminal, or turn text around. */
function toQuoted(text: string): string {
  const escape = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escape);
}
