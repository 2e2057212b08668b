// Which reader reads which file: the one of the format that was asked for, or of the one that the file's beginning shows.
import type { Head } from "./head.ts";
import { ImportError, type ReadOptions, type Recognised } from "./import-options.ts";
import type { FormatOption, ImportFormat } from "./formats/format.ts";
import { type Format, FORMATS, formats } from "./formats/formats.ts";
import { findMissingKind } from "./formats/jsonl/missing-kind.ts";
import type { Reader, SourceFile } from "./source-row.ts";

export interface ReadableFile {
  readonly file: SourceFile;
  readonly read: Reader;
  /** Whether what the other files say has to be in the archive first. */
  readonly asksArchive: boolean;
}

/** What the files end in that are read in a folder. */
export function toExtensions({ format = "auto" }: Pick<ReadOptions, "format">): readonly string[] {
  if (format !== "auto") return formats[format].extensions;
  const all: readonly ImportFormat[] = Object.values(formats);
  const clear = all.flatMap(({ extensions, ambiguous = [] }) =>
    extensions.filter((extension) => !ambiguous.includes(extension)),
  );
  return [...new Set(clear)];
}

/** Throws `ImportError` for a file that shows no format, or several, and for options that its format does not take. */
export async function chooseReaders(
  files: readonly SourceFile[],
  options: ReadOptions,
): Promise<readonly ReadableFile[]> {
  const chosen = await chooseFormats(files, options);
  const readers = new Map<Format, Reader>();
  for (const [format, its] of Map.groupBy(chosen, (one) => one.format)) {
    const ofFormat = its.map(({ file }) => file);
    readers.set(format, await createReader(format, options, ofFormat));
  }
  return chosen.flatMap(({ file, format }) => {
    const read = readers.get(format);
    const { asksArchive }: ImportFormat = formats[format];
    return read === undefined ? [] : [{ file, read, asksArchive: asksArchive === true }]; // every format has one
  });
}

interface ChosenFile {
  readonly file: SourceFile;
  readonly format: Format;
}

async function chooseFormats(
  files: readonly SourceFile[],
  { format = "auto", mappingFile, onRecognised }: ReadOptions,
): Promise<readonly ChosenFile[]> {
  if (format !== "auto") return files.map((file) => ({ file, format }));
  const chosen: ChosenFile[] = [];
  const recognised: Recognised[] = [];
  for (const file of files) {
    const found = await recognise(file, mappingFile);
    recognised.push(found);
    chosen.push({ file, format: found.format });
  }
  onRecognised?.(recognised);
  return chosen;
}

const OPTIONS: Readonly<Record<FormatOption, string>> = {
  mappingFile: "mapping file: it has its own fields",
  layout: "layout: it has one of its own",
  filenameTemplate: "template of file names",
};

async function createReader(
  name: Format,
  options: ReadOptions,
  files: readonly SourceFile[],
): Promise<Reader> {
  const { takes = [], createReader: create }: ImportFormat = formats[name];
  for (const [option, what] of Object.entries(OPTIONS)) {
    if (options[option as FormatOption] !== undefined && !takes.includes(option as FormatOption))
      throw new ImportError(`${name} takes no ${what}`); // the keys of the table above
  }
  return await create(options, files);
}

async function recognise(file: SourceFile, mappingFile: string | undefined): Promise<Recognised> {
  const head = await file.peek();
  if (head === undefined)
    throw new ImportError(`${file.name} is a pipe, which cannot be read twice: name its format`);
  const candidates =
    mappingFile === undefined ? findCandidates(head) : [toMapped(head, mappingFile)];
  const [only, ...others] = candidates;
  if (only === undefined) throw toUnknown(file, head);
  if (others.length > 0) {
    const list = candidates.map(({ format, because }) => `${format} (${because})`).join(", ");
    throw new ImportError(`${file.name} may be ${list}: name its format`);
  }
  return { file: file.name, ...only };
}

type Candidate = Omit<Recognised, "file">;

function findCandidates(head: Head): readonly Candidate[] {
  return FORMATS.flatMap(({ name, title }) => {
    const because = formats[name].recognise(head);
    return because === undefined ? [] : [{ format: name, title, because }];
  });
}

// A mapping says what columns or members are, whatever wrote them.
function toMapped({ json }: Head, mappingFile: string): Candidate {
  const format = json === undefined ? "csv" : "json";
  return { format, title: formats[format].title, because: `by the mapping ${mappingFile}` };
}

function toUnknown({ name }: SourceFile, { text, firstLine, json }: Head): ImportError {
  if (text.trim() === "") return new ImportError(`${name} is empty: nothing shows its format`);
  if (text.includes("\0"))
    return new ImportError(`${name} is no text, or it is UTF-16 without a byte order mark`);
  const missingKind = findMissingKind(json);
  if (missingKind !== undefined) return new ImportError(`${name} ${missingKind}`);
  const names = FORMATS.map((format) => format.name).join(", ");
  const beginning =
    json === undefined
      ? `begins with ${JSON.stringify(firstLine.slice(0, 100))}, which is no known format` // not to move the cursor of a terminal
      : "is JSON, but its first record is that of no known format";
  return new ImportError(
    `${name} ${beginning}: name its format (--format ${names}), or give a mapping (--map) that says which ${json === undefined ? "column" : "member"} becomes which field`,
  );
}
