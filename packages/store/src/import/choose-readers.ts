// Which reader reads which file: the one of the format that was asked for, or of the one that the file's beginning shows.
import type { Head } from "./head.ts";
import { ImportError, type ImportOptions } from "./import-options.ts";
import type { ImportFormat } from "./formats/format.ts";
import { type Format, FORMATS, formats } from "./formats/formats.ts";
import type { Reader, SourceFile } from "./source-row.ts";

export interface ReadableFile {
  readonly file: SourceFile;
  readonly read: Reader;
}

type Choice = Pick<ImportOptions, "format" | "mappingFile">;

/** What the files end in that are read in a folder. */
export function toExtensions(options: Choice): readonly string[] {
  const format = toFormat(options);
  const all: readonly ImportFormat[] =
    format === "auto" ? Object.values(formats) : [formats[format]];
  return [...new Set(all.flatMap(({ extensions }) => extensions))];
}

/** Throws `ImportError` for a file that shows no format, or several. */
export async function chooseReaders(
  files: readonly SourceFile[],
  options: ImportOptions,
): Promise<readonly ReadableFile[]> {
  const asked = toFormat(options);
  const readers = new Map<Format, Reader>();
  const chosen: ReadableFile[] = [];
  for (const file of files) {
    const format = asked === "auto" ? await recognise(file, options) : asked;
    const read = readers.get(format) ?? (await formats[format].createReader(options));
    readers.set(format, read);
    chosen.push({ file, read });
  }
  return chosen;
}

// A mapping says what the columns of a table are, whatever wrote it.
function toFormat({ format = "auto", mappingFile }: Choice): Format | "auto" {
  if (format === "auto") return mappingFile === undefined ? "auto" : "csv";
  if (format !== "csv" && mappingFile !== undefined)
    throw new ImportError(`${format} takes no mapping file: it has its own fields`);
  return format;
}

async function recognise(file: SourceFile, { onRecognised }: ImportOptions): Promise<Format> {
  const head = await file.peek();
  if (head === undefined)
    throw new ImportError(`${file.name} is a pipe, which cannot be read twice: name its format`);
  const candidates = FORMATS.flatMap(({ name, title }) => {
    const because = formats[name].recognise(head);
    return because === undefined ? [] : [{ format: name, title, because }];
  });
  const [only, ...others] = candidates;
  if (only === undefined) throw toUnknown(file, head);
  if (others.length > 0) {
    const list = candidates.map(({ format, because }) => `${format} (${because})`).join(", ");
    throw new ImportError(`${file.name} may be ${list}: name its format`);
  }
  onRecognised?.({ file: file.name, ...only });
  return only.format;
}

function toUnknown({ name }: SourceFile, { text, firstLine, json }: Head): ImportError {
  if (text.trim() === "") return new ImportError(`${name} is empty: nothing shows its format`);
  const names = FORMATS.map((format) => format.name).join(", ");
  const beginning =
    json === undefined
      ? `begins with "${firstLine.slice(0, 100)}"`
      : "is JSON, but its first record is that of no known format";
  return new ImportError(
    `${name} ${beginning}: name its format (${names}); for csv a mapping says what its columns are`,
  );
}
