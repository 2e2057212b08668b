// Any table and any JSON: each record becomes an entry of the archive's own format, by a mapping.
import { dirname } from "node:path";
import { isOrderOpen } from "../../doubts/day-order.ts";
import { toDoubts } from "../../doubts/doubt.ts";
import { createHead, type Head, HEAD_BYTES, pick, withoutLines } from "../../head.ts";
import { Faults } from "../../faults.ts";
import { ImportError } from "../../import-error.ts";
import { isObject } from "../../json.ts";
import { createMediaFolder } from "../../media-folder.ts";
import { peek } from "../../peek.ts";
import type { Entry, ReadOptions, ImportFormat } from "../format.ts";
import { type Mapped, type Reader, RowFault, type SourceFile } from "../../source-row.ts";
import { toLetters } from "../columns.ts";
import { readFirstRecord, readForm, readTable, type RowMaker } from "../table.ts";
import { readJsonRecords } from "../json-format.ts";
import { createColumnProof } from "./header-proof.ts";
import { bindWhole } from "./bind-mapping.ts";
import { readLocated } from "./locate-media.ts";
import { judgeColumns } from "./columns.ts";
import { createRateName } from "./field-names.ts";
import { readHeader, toRecordPath } from "./misfit.ts";
import { judgeMeanings } from "./meanings.ts";
import { listNames, type Mapping } from "./mapping.ts";
import { readJoined } from "./joined.ts";
import { createMissingTime } from "./missing-time.ts";
import { findInRecord, toSteps } from "./names.ts";
import { createProof, mayLead } from "./proof.ts";
import type { Rule } from "./rule.ts";
import { judgeSaidZone } from "./said-zone.ts";
import { createSampleColumns, type SampleColumns } from "./sample-columns.ts";
import { readProved } from "./samples.ts";
import { findSides } from "./sides.ts";
import { listKnownNames, listKnownWords } from "./shipped.ts";
import { createTotals } from "./totals.ts";
import { judgeWords } from "./words.ts";

export const csv: ImportFormat = {
  title: "any table",
  hint: "--map names a JSON file that says which column becomes which field",
  extensions: [".csv", ".tsv"],
  takes: ["mappingFile"],
  recognise: () => undefined, // what its columns mean only its mapping can tell
  createReader: createCsvReader,
};

async function createCsvReader(options: ReadOptions): Promise<Reader> {
  const { mappingFile, timeZone, allow } = options;
  if (mappingFile === undefined)
    throw new ImportError(
      "csv needs a mapping file (--map) that says which column becomes which field",
    );
  const mapping = await readProved(mappingFile, timeZone);
  if (mapping.records !== undefined)
    throw new ImportError(`the mapping ${mappingFile}: records: a table has no path to its rows`);
  const proof = createProof(mapping);
  const header = createColumnProof(mapping, allow);
  const sample = createSampleColumns(mapping.nulls);
  const times = createMissingTime(mapping, sample);
  const bindTo =
    (file: SourceFile) =>
    (columns: readonly string[]): RowMaker => {
      const locate = createLocator(options, file);
      const find = header.find({ file: file.name, columns });
      const bound = bindWhole(mapping, find, { timeZone, watch: proof.watch });
      const see = proof.seeTable({ file: file.name, columns });
      return {
        grouping: bound.grouping,
        isTotal: createTotals(mapping, columns),
        toEntries: (records, line) => {
          for (const values of records) {
            see(values);
            sample.seeRow(columns, values);
          }
          const place = { file: file.name, line };
          return locate(() => {
            const entries = readCalls(() => bound.toEntries(records, place), mapping);
            times.see(entries);
            return entries;
          });
        },
      };
    };
  const read: Reader = async function* (file) {
    const bind = bindTo(file);
    const { lines: form, columns, skip, hasQuotes } = mapping;
    if (form !== undefined && columns !== undefined)
      yield* readForm(file.chunks(), { form, skip }, { columns, maker: bind(columns) });
    else {
      const { delimiter, chunks } = await openTable(file, mapping);
      yield* readTable(chunks, { file: file.name, delimiter, columns, skip, hasQuotes }, bind);
    }
  };
  const judge = () => [
    ...header.judge(),
    ...proof.judge(),
    ...times.judge(),
    ...judgeOwn(mapping, sample, timeZone),
  ];
  return Object.assign(read, { mapped: toMapped(mapping), judge });
}

/** The first line says the delimiter if the mapping does not. */
async function openTable(file: SourceFile, { delimiter, skip }: Mapping) {
  if (delimiter !== undefined) return { delimiter, chunks: file.chunks() };
  const { beginning, chunks } = await peek(file.chunks(), HEAD_BYTES);
  const head = withoutLines(createHead(beginning), skip);
  return { delimiter: readFirstRecord(head).delimiter, chunks };
}

function createLocator({ mediaDirectory }: ReadOptions, file: SourceFile) {
  const folder = createMediaFolder(mediaDirectory ?? dirname(file.path));
  return (read: () => Entry[]) => readLocated(read, folder, false);
}

export const json: ImportFormat = {
  title: "any JSON",
  hint: "--map names a JSON file that says which member becomes which field",
  extensions: [".json", ".jsonl", ".ndjson", ".xml"],
  ambiguous: [".xml"],
  takes: ["mappingFile"],
  recognise: () => undefined, // what its members mean only its mapping can tell
  createReader: createJsonReader,
};

async function createJsonReader(
  options: ReadOptions,
  files: readonly SourceFile[],
): Promise<Reader> {
  const { mappingFile, timeZone } = options;
  if (mappingFile === undefined)
    throw new ImportError(
      "json needs a mapping file (--map) that says which member becomes which field",
    );
  const mapping = await readProved(mappingFile, timeZone);
  if (mapping.columns !== undefined || mapping.delimiter !== undefined)
    throw new ImportError(`the mapping ${mappingFile}: columns and delimiter belong to a table`);
  const proof = createProof(mapping);
  const sample = createSampleColumns(mapping.nulls);
  const times = createMissingTime(mapping, sample);
  const joined = await readJoined(mapping, { files, marks: [], see: proof.see });
  const bound = { timeZone, watch: proof.watch, joined };
  const { toEntries } = bindWhole(mapping, findInRecord(mapping.nulls), bound);
  const astray: string[] = [];
  const read: Reader = async function* (file) {
    const locate = createLocator(options, file);
    let head: Head | undefined;
    let rows = 0;
    let parts = 0;
    for await (const row of readJsonRecords(
      file,
      (beginning) => toRecordPath((head = beginning), mapping),
      async (record, line) => {
        if (joined?.isPart(record)) {
          parts += 1;
          return [];
        }
        proof.see(record);
        sample.seeRecord(record);
        const place = { file: file.name, line };
        return await locate(() => {
          const entries = readCalls(() => toEntries([record], place), mapping);
          times.see(entries);
          return entries;
        });
      },
    )) {
      rows += 1;
      yield row;
    }
    const path = mapping.records?.join('" or "') ?? "";
    if (rows + parts === 0 && head?.json !== undefined && !leads(head.json, mapping))
      astray.push(`${file.name}: records: "${path}" leads to no record of it`);
  };
  const judge = () => [
    ...proof.judge(),
    ...toAstrayDoubts(astray),
    ...times.judge(),
    ...judgeOwn(mapping, sample, timeZone),
  ];
  return Object.assign(read, { mapped: toMapped(mapping), judge });
}

/** Throws `RowFault` also for what nobody could find again: sums, and the end of a report. */
function readCalls(read: () => Entry[], { fields }: Mapping): Entry[] {
  const faults = new Faults();
  const entries = faults.attempt(read) ?? faults.entries;
  const isTimed = fields.some(({ field }) => field === "datetime");
  const isNothing = ({ kind, call_id: callId, datetime }: Entry) =>
    kind === "call" && (callId ?? datetime ?? null) === null;
  const isRead = !faults.has("call_id") && !faults.has("datetime");
  if (isTimed && isRead && entries.some(isNothing))
    faults.add(new RowFault("it has neither call_id nor datetime, and is no call"));
  faults.end(entries);
  return entries;
}

/** Words that samples prove are in no doubt, nor are fields. */
const judgeOwn = (mapping: Mapping, sample: SampleColumns, timeZone: string) => [
  ...toDoubts(mapping.guess, GUESSES, { shown: mapping.guess.length }),
  ...judgeSaidZone(mapping, sample, timeZone),
  ...judgeColumns(mapping, sample, createRateName(listKnownNames())),
  ...judgeMeanings(mapping, sample),
  ...(mapping.proved.size > 0 ? [] : judgeWords(mapping, listKnownWords())),
];

const GUESSES = {
  name: "guess",
  effect: "stop",
  text: "the mapping has guesses that nobody has looked at",
  advice: 'Compare calls with the source, correct the mapping, and remove its key "guess"',
} as const;

const leads = (value: unknown, { records = [""] }: Mapping) =>
  records.some((path) => mayLead(value, path.split(".")));

const toAstrayDoubts = (files: readonly string[]) =>
  toDoubts(
    files,
    {
      name: "no-rows",
      effect: "stop",
      text: "there is something in the file, and no record where the mapping looks for them",
      advice: 'Correct the path, such as "records": "calls.*" in the mapping',
    },
    { unit: "file" },
  );

const toText = (rules: readonly Rule[]) => rules.map(toRuleText).join(" or ");

function toRuleText({ from, of }: Rule): string {
  const templates = from.map(({ template }) =>
    template.map(({ text, isName }) => (isName ? `{${text}}` : text)).join(""),
  );
  return `${templates.join(" or ")}${of === undefined ? "" : ` of ${of}`}`;
}

const isDateOpen = (fields: Mapping["fields"]) =>
  fields
    .filter(({ field }) => field === "datetime")
    .some(({ rules }) => rules.some(({ formats }) => formats.some(isOrderOpen)));

function toMapped(mapping: Mapping): Mapped {
  const fields = mapping.fields.map(({ field, rules }): [string, string] => [field, toText(rules)]);
  const others = [
    ["media", mapping.media.map(toText).join(", ")],
    ["identity", mapping.identity.map(toText).join(", ")],
  ].filter(([, text]) => text !== "");
  const names = listNames(mapping);
  const letters = new Set([...names].map(toLetters));
  const members = new Set([...names].map((name) => toSteps(name)[0]));
  const messages = mapping.chats.flatMap((one) => one.fields);
  const isOpen = { call: isDateOpen(mapping.fields), chat: isDateOpen(messages) };
  return {
    templates: Object.fromEntries([...fields, ...others]),
    sides: findSides(mapping),
    isOrderOpen: mapping.kind === "chat" ? { call: false, chat: isOpen.call } : isOpen,
    listUnread: (head) => {
      if (head.json === undefined)
        return readHeader(head, mapping).filter((column) => !letters.has(toLetters(column)));
      const record = pick(head.json, toRecordPath(head, mapping));
      return isObject(record) ? Object.keys(record).filter((key) => !members.has(key)) : [];
    },
  };
}
