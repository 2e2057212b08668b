// Formats of which a file is JSON with records in it: a document with an array somewhere, however long, or a record a line.
import { dirname } from "node:path";
import { toKind } from "@call-media/store/values";
import { isObject, parseJson } from "../json.ts";
import type { Doubt } from "../doubts/doubt.ts";
import { createHead, type Head, HEAD_BYTES, pick } from "../head.ts";
import { Faults, toUnfit } from "../faults.ts";
import { ImportError } from "../import-error.ts";
import { type JsonElement, readElements, readJsonLines } from "../json-elements.ts";
import { createMediaFolder, type MediaFolder } from "../media-folder.ts";
import { peek } from "../peek.ts";
import { isXml } from "../xml.ts";
import { readXmlElements } from "../xml-elements.ts";
import {
  type Reader,
  RowFault,
  type SourceFile,
  type SourceRow,
  type UnfitRow,
} from "../source-row.ts";
import {
  addTo,
  dropUndefined,
  type Entry,
  type ImportFormat,
  type ReadOptions,
  type RecordContext,
} from "./format.ts";
import { translateExactly } from "./big-integers.ts";
import { bindMapping } from "./mapping/bind-mapping.ts";
import { readAddition } from "./mapping/read-mapping.ts";
import { findInRecord } from "./mapping/names.ts";
import { createProof } from "./mapping/proof.ts";

export type JsonRecord = Readonly<Record<string, unknown>>;

export interface JsonFormat {
  readonly title: string;
  readonly hint?: string;
  /**
   * The paths of a file's records, the likeliest first. `conversations.*` are the elements of that array, `*` those of
   * a document that is an array; "" is a document that is one record, or one a line.
   */
  readonly records: readonly string[];
  /** Keys that together show a record of the format; several lists if there are several kinds of records. */
  readonly marks: readonly string[] | readonly (readonly string[])[];
  /** Keys of the identifier that each call has, for the message if it is missing; none if it may be. */
  readonly callId: readonly string[];
  /** Called once an import. */
  readonly prepare: (
    options: ReadOptions,
    files: readonly SourceFile[],
  ) => PreparedRecords | Promise<PreparedRecords>;
}

export interface PreparedRecords {
  /** The entries of a record; none if it is part of another record's row. Throws `RowFault`, naming the field and the fault. */
  readonly toEntries: (record: JsonRecord, context: RecordContext) => Entry[] | Promise<Entry[]>;
  readonly judge?: () => readonly Doubt[];
}

export function createJsonFormat(definition: JsonFormat): ImportFormat {
  const { title, hint } = definition;
  return {
    title,
    ...(hint === undefined ? {} : { hint }),
    extensions: [".json", ".jsonl", ".ndjson", ".xml"],
    ambiguous: [".xml"],
    recognise: (head) => {
      const found = findRecords(head, definition);
      return found && `its records have ${found.marks.join(", ")}`;
    },
    takes: ["mappingFile"],
    createReader: async (options, files) => {
      const addition = await readAddition(options);
      const proof = addition && createProof(addition);
      const { timeZone } = options;
      const add =
        addition &&
        bindMapping(addition, findInRecord(addition.nulls), { timeZone, watch: proof?.watch });
      const prepared = await definition.prepare(options, files);
      const openFolder = createFolders();
      const read: Reader = async function* (file) {
        const directory = options.mediaDirectory ?? dirname(file.path);
        const folder = openFolder(directory);
        const translate = async (record: JsonRecord, line: number) => {
          const place = { file: file.name, line };
          const context = { folder, directory, timeZone, place };
          const faults = new Faults();
          const entries = await faults.attemptEntries(() => prepared.toEntries(record, context));
          const isNameless = definition.callId.length > 0 && entries.some(lacksCallId);
          if (isNameless && !faults.has("call_id"))
            faults.add(new RowFault(`${definition.callId.join(" or ")}: missing`));
          if (entries.length > 0) proof?.see(record);
          const addAll = () => (entries.length > 0 ? add?.toEntries([record], place) : undefined);
          const [added = {}] = faults.attempt(addAll) ?? [];
          faults.end(entries.map(dropUndefined));
          return entries.map((entry) =>
            addTo(dropUndefined(entry), entry["kind"] === added["kind"] ? added : {}),
          );
        };
        yield* readJsonRecords(file, (head) => findPath(file.name, head, definition), translate);
      };
      const judge = () => [...(prepared.judge?.() ?? []), ...(proof?.judge() ?? [])];
      return Object.assign(read, { judge });
    },
  };
}

// Nobody would find such a call, and each import of a later state would add another.
const lacksCallId = ({ kind, call_id }: Entry) => kind === "call" && call_id === undefined;

/** One for all files of a folder, which is then listed once. */
function createFolders(): (directory: string) => MediaFolder {
  const folders = new Map<string, MediaFolder>();
  return (directory) => {
    const folder = folders.get(directory) ?? createMediaFolder(directory);
    folders.set(directory, folder);
    return folder;
  };
}

type ToEntries = (record: JsonRecord, line: number) => Entry[] | Promise<Entry[]>;

/** Rows of the records at the path that `locate` sees in the head of the file; it may throw `ImportError`. */
export async function* readJsonRecords(
  file: SourceFile,
  locate: (head: Head) => string,
  toEntries: ToEntries,
): AsyncGenerator<SourceRow> {
  const { beginning, chunks } = await peek(file.chunks(), HEAD_BYTES);
  const head = createHead(beginning);
  const path = locate(head);
  const read = chooseElements(head, path);
  for await (const element of read(chunks, path)) {
    const row = await toRow(element, toEntries);
    if (row !== undefined) yield row;
  }
}

function chooseElements({ text, firstLine }: Head, path: string) {
  if (isXml(text)) return readXmlElements;
  const isByLine = path === "" && "value" in parseJson(firstLine);
  return isByLine ? (chunks: AsyncIterable<Buffer>) => readJsonLines(chunks) : readElements;
}

function findPath(file: string, head: Head, definition: JsonFormat): string {
  const path = findRecords(head, definition)?.path ?? findEmpty(head, definition);
  if (path !== undefined) return path;
  const { title, records } = definition;
  const marks = toMarkLists(definition).map((list) => list.join(", "));
  throw new ImportError(
    `${file} holds no ${title}: a record with ${marks.join(" or with ")} is neither at ${records.map(toPlace).join(" nor at ")}`,
  );
}

interface Place {
  readonly path: string;
  /** The keys of the record there. */
  readonly marks: readonly string[];
}

type Shape = Pick<JsonFormat, "records" | "marks">;

/** Which of the format's paths leads to records in this file, and what shows it. */
export function findRecords({ json }: Head, definition: Shape): Place | undefined {
  const lists = toMarkLists(definition);
  for (const path of definition.records) {
    const record = pick(json, path);
    const marks = isObject(record) && lists.find((list) => list.every((mark) => mark in record));
    if (marks) return { path, marks };
  }
  return undefined;
}

function toMarkLists({ marks }: Shape): readonly (readonly string[])[] {
  const single = marks.filter((mark) => typeof mark === "string");
  const lists = marks.filter((list) => typeof list !== "string");
  return lists.length > 0 ? lists : [single];
}

/** A path to an array that is there and has no record. */
function findEmpty({ json }: Head, { records }: JsonFormat): string | undefined {
  return records.find((path) => {
    const array = path.endsWith("*") ? pick(json, path.replace(/\.?\*$/, "")) : undefined;
    return Array.isArray(array) && array.length === 0;
  });
}

/** Undefined for a record that is part of another record's row. */
async function toRow(
  element: JsonElement | UnfitRow,
  toEntries: ToEntries,
): Promise<SourceRow | undefined> {
  if ("reason" in element) return element;
  const { line, raw } = element;
  try {
    const entries = await translateExactly(element, (value) => toEntries(toRecord(value), line));
    return entries.length === 0 ? undefined : { line, raw, entries };
  } catch (error) {
    return toUnfit({ line, raw }, error);
  }
}

function toRecord(value: unknown): JsonRecord {
  if (isObject(value)) return value;
  throw new RowFault(`a record must be an object, not ${toKind(value)}`);
}

function toPlace(path: string): string {
  return path === "" ? "the top" : path;
}
