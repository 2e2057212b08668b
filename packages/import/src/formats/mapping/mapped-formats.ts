// Any table and any JSON: each record becomes an entry of the archive's own format, by a mapping.
import { isOrderOpen } from "../../doubts/day-order.ts";
import type { Doubt } from "../../doubts/doubt.ts";
import { type Head, pick } from "../../head.ts";
import { ImportError } from "../../import-error.ts";
import { isObject } from "../../json.ts";
import type { ReadOptions, ImportFormat } from "../format.ts";
import type { Mapped, Reader } from "../../source-row.ts";
import { readTable } from "../table.ts";
import { readJsonRecords } from "../json-format.ts";
import { bindWhole, readHeader, toSteps } from "./bind-mapping.ts";
import { listNames, type Mapping, readMapping } from "./mapping.ts";
import type { KeyedTemplate } from "./template.ts";
import { createColumnProof, createProof, mayLead } from "./proof.ts";

export const csv: ImportFormat = {
  title: "any table",
  hint: "--map names a JSON file that says which column becomes which field",
  extensions: [".csv", ".tsv"],
  takes: ["mappingFile"],
  recognise: () => undefined, // what its columns mean only its mapping can tell
  createReader: createCsvReader,
};

async function createCsvReader({ mappingFile, timeZone, allow }: ReadOptions): Promise<Reader> {
  if (mappingFile === undefined)
    throw new ImportError(
      "csv needs a mapping file (--map) that says which column becomes which field",
    );
  const mapping = await readMapping(mappingFile, timeZone);
  const { delimiter = ",", columns } = mapping;
  if (mapping.records !== undefined)
    throw new ImportError(`the mapping ${mappingFile}: records: a table has no path to its rows`);
  const proof = createColumnProof(mapping, allow);
  const read: Reader = (file) =>
    readTable(file.chunks(), { file: file.name, delimiter, columns }, (names) =>
      bindWhole(mapping, proof.find({ file: file.name, columns: names })),
    );
  return Object.assign(read, { mapped: toMapped(mapping), judge: proof.judge });
}

export const json: ImportFormat = {
  title: "any JSON",
  hint: "--map names a JSON file that says which member becomes which field",
  extensions: [".json", ".jsonl", ".ndjson"],
  takes: ["mappingFile"],
  recognise: () => undefined, // what its members mean only its mapping can tell
  createReader: createJsonReader,
};

async function createJsonReader({ mappingFile, timeZone }: ReadOptions): Promise<Reader> {
  if (mappingFile === undefined)
    throw new ImportError(
      "json needs a mapping file (--map) that says which member becomes which field",
    );
  const mapping = await readMapping(mappingFile, timeZone);
  if (mapping.columns !== undefined || mapping.delimiter !== undefined)
    throw new ImportError(`the mapping ${mappingFile}: columns and delimiter belong to a table`);
  const proof = createProof(mapping);
  const toEntry = bindWhole(mapping, proof.find);
  const astray: string[] = [];
  const locate = ({ json: value }: Head) => mapping.records ?? (Array.isArray(value) ? "*" : "");
  const read: Reader = async function* (file) {
    let head: Head | undefined;
    let rows = 0;
    for await (const row of readJsonRecords(
      file,
      (beginning) => locate((head = beginning)),
      (record) => {
        proof.see(record);
        return [toEntry(record)];
      },
    )) {
      rows += 1;
      yield row;
    }
    const path = mapping.records ?? "";
    if (rows === 0 && head?.json !== undefined && !mayLead(head.json, path.split(".")))
      astray.push(`${file.name}: records: "${path}" leads to no record of it`);
  };
  const judge = () => [...proof.judge(), ...toAstrayDoubts(astray)];
  return Object.assign(read, { mapped: toMapped(mapping), judge });
}

const FIRST = 10;

function toAstrayDoubts(files: readonly string[]): readonly Doubt[] {
  if (files.length === 0) return [];
  const doubt: Doubt = {
    name: "no-rows",
    effect: "stop",
    text: "there is something in the file, and no record where the mapping looks for them",
    count: files.length,
    unit: "file",
    first: files.slice(0, FIRST),
    advice: 'Correct the path, such as "records": "calls.*" in the mapping',
  };
  return [doubt];
}

function toMapped(mapping: Mapping): Mapped {
  const toText = (templates: readonly KeyedTemplate[]) =>
    templates
      .map(({ template }) =>
        template.map(({ text, isName }) => (isName ? `{${text}}` : text)).join(""),
      )
      .join(" or ");
  const fields = mapping.fields.map(({ field, from }): [string, string] => [field, toText(from)]);
  const others = [
    ["media", mapping.media.map((one) => toText([one])).join(", ")],
    ["identity", mapping.identity.map((one) => toText([one])).join(", ")],
  ].filter(([, text]) => text !== "");
  const names = [...listNames(mapping)];
  const members = new Set(names.map((name) => toSteps(name)[0]));
  return {
    templates: Object.fromEntries([...fields, ...others]),
    isOrderOpen: isOrderOpen(
      mapping.fields.find(({ field }) => field === "datetime")?.format ?? "",
    ),
    listUnread: (head) => {
      if (head.json === undefined)
        return readHeader(head, mapping).filter((column) => !names.includes(column));
      const record = pick(head.json, mapping.records ?? (Array.isArray(head.json) ? "*" : ""));
      return isObject(record) ? Object.keys(record).filter((key) => !members.has(key)) : [];
    },
  };
}
