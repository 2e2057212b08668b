// Formats of which a file is a table with a header: columns in any order, found by their names.
import { dirname } from "node:path";
import { type Head, createHead, HEAD_BYTES } from "../head.ts";
import { Faults } from "../faults.ts";
import { ImportError } from "../import-error.ts";
import {
  type ReadOptions,
  addTo,
  dropUndefined,
  type Entry,
  type FormatOption,
  type ImportFormat,
  type RecordContext,
} from "./format.ts";
import { createMediaFolder } from "../media-folder.ts";
import { peek } from "../peek.ts";
import type { Reader, SourceFile } from "../source-row.ts";
import { checkColumns, createRows, findByLetters, findMissing, type Row } from "./columns.ts";
import { bindMapping, bindWhole } from "./mapping/bind-mapping.ts";
import { readLocated } from "./mapping/locate-media.ts";
import { type ColumnProof, createColumnProof } from "./mapping/header-proof.ts";
import type { Proof } from "./mapping/proof.ts";
import { type Mapping, parseMapping } from "./mapping/mapping.ts";
import { readAddition } from "./mapping/read-mapping.ts";
import { createTotals } from "./mapping/totals.ts";
import { readFirstRecord, readTable } from "./table.ts";

/** Additions that a mapping cannot express. */
export interface TableAdditions {
  readonly takes?: readonly FormatOption[];
  /** Creates, once an import and then for each file, the last step of an entry. Throws `ImportError` for wrong options. */
  readonly createFinish?: (options: ReadOptions) => (context: RecordContext) => Finish;
}

export interface TableFormat extends TableAdditions {
  readonly title: string;
  readonly hint?: string;
  /** Columns that together show the format. Names are compared by their letters and digits only. */
  readonly marks: readonly string[];
  /** The columns of files without a header. */
  readonly layout?: Layout;
  /** As in a mapping file. A column that a file does not have gives no value. */
  readonly mapping: Readonly<Record<string, unknown>>;
  /** Makes, once an import, what sees the rows. */
  readonly watch?: (mapping: Mapping) => Proof;
  /** See `FitRow`. */
  readonly areLegs?: boolean;
}

export interface Layout {
  /** The names of the columns that a first record shows by its form; undefined when it shows none. */
  readonly recognise: (values: readonly string[]) => readonly string[] | undefined;
  /** The names that the option `layout` asks for. Throws `ImportError`. */
  readonly parse: (layout: string, values: readonly string[]) => readonly string[];
}

/** Completes an entry whose `fields` are set. Throws `RowFault`. */
export type Finish = (entry: Entry, row: Row) => Entry | Promise<Entry>;

export function createTableFormat(definition: TableFormat): ImportFormat {
  const { title, hint, takes = [] } = definition;
  return {
    title,
    ...(hint === undefined ? {} : { hint }),
    extensions: [".csv", ".tsv"],
    takes: ["mappingFile", ...takes],
    recognise: (head) => recognise(head, definition),
    createReader: async (options) => {
      const addition = await readAddition(options);
      const mapping = parseMapping({ mapping: 2, ...definition.mapping }, options.timeZone);
      const createFinish = definition.createFinish?.(options);
      const proof = addition && createColumnProof(addition, options.allow);
      const seen = definition.watch?.(mapping);
      const reading = { definition, options, mapping, addition, proof, seen, createFinish };
      const read: Reader = (file) => readRows(file, reading);
      const judge = () => [...(seen?.judge() ?? []), ...(proof?.judge() ?? [])];
      return Object.assign(read, { judge });
    },
  };
}

function recognise(head: Head, { layout, marks }: TableFormat): string | undefined {
  const { values } = readFirstRecord(head);
  const columns = layout === undefined ? values : (layout.recognise(values) ?? []);
  if (findMissing(marks, columns) !== undefined) return undefined;
  return layout === undefined
    ? `header has ${marks.join(", ")}; ${columns.length} columns`
    : `columns have the form of ${marks.join(", ")}; ${columns.length} columns`;
}

interface Reading {
  readonly definition: TableFormat;
  readonly options: ReadOptions;
  readonly mapping: Mapping;
  readonly addition: Mapping | undefined;
  /** The proof of the mapping that adds to the format. */
  readonly proof: ColumnProof | undefined;
  readonly seen: Proof | undefined;
  readonly createFinish: ((context: RecordContext) => Finish) | undefined;
}

async function* readRows(file: SourceFile, reading: Reading) {
  const { definition, options, mapping, addition, proof } = reading;
  const { beginning, chunks } = await peek(file.chunks(), HEAD_BYTES);
  const { delimiter, values: first } = readFirstRecord(createHead(beginning));
  const laidOut = findLayout(file.name, first, reading);
  const directory = options.mediaDirectory ?? dirname(file.path);
  const folder = createMediaFolder(directory);
  const { timeZone } = options;
  const context = { folder, directory, timeZone, place: { file: file.name, line: 1 } };
  const finish = reading.createFinish?.(context);
  const watch = reading.seen?.watch;

  const { skip, hasQuotes } = mapping;
  const shape = { file: file.name, delimiter, columns: laidOut, skip, hasQuotes };
  const rows = readTable(chunks, shape, (columns) => {
    if (laidOut === undefined)
      checkColumns(
        `${file.name} is not of the format ${definition.title}`,
        definition.marks,
        columns,
      );
    const find = findByLetters(columns, mapping.nulls, file.name);
    // The last step may find recordings of which the mapping says nothing.
    const bind = finish === undefined ? bindWhole : bindMapping;
    const { toEntries, grouping } = bind(mapping, find, { timeZone, watch });
    const add =
      addition &&
      proof &&
      bindMapping(addition, proof.find({ file: file.name, columns }), { timeZone }).toEntries;
    const toReadable = createRows(find);
    const see = reading.seen?.seeTable({ file: file.name, columns });
    return {
      grouping,
      isTotal: createTotals(mapping, columns),
      toEntries: (records, line) => {
        records.forEach((one) => see?.(one));
        const place = { file: file.name, line };
        const [values = []] = records;
        let added: Entry = {};
        const readAll = () => {
          const faults = new Faults();
          const made = faults.attempt(() => toEntries(records, place)) ?? faults.entries;
          added = (faults.attempt(() => add?.([values], place)) ?? [])[0] ?? {};
          faults.end(made);
          return made;
        };
        const complete = (one: Entry) => dropUndefined(addTo(one, added));
        const end = (one: Entry) => (finish === undefined ? one : finish(one, toReadable(values)));
        const located = readLocated(readAll, folder, true);
        if (finish === undefined && !(located instanceof Promise)) return located.map(complete);
        return toCompleted(located, async (one) => complete(await end(one)));
      },
    };
  });
  const { areLegs = false } = definition;
  for await (const row of rows) yield areLegs && "entries" in row ? { ...row, areLegs } : row;
}

const toCompleted = async (
  entries: Entry[] | Promise<Entry[]>,
  complete: (entry: Entry) => Promise<Entry>,
) => await Promise.all((await entries).map(complete));

function findLayout(
  file: string,
  first: readonly string[],
  { definition: { layout, title }, options }: Reading,
): readonly string[] | undefined {
  if (layout === undefined || first.length === 0) return layout && [];
  if (options.layout !== undefined) return layout.parse(options.layout, first);
  const columns = layout.recognise(first);
  if (columns !== undefined) return columns;
  throw new ImportError(
    `${file}: the ${first.length} columns of its first line do not have the form of ${title}: say by a layout what they are`,
  );
}
