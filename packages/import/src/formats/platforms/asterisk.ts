// Asterisk: call detail records of cdr_csv and cdr_custom, which are tables without a header.
import { createTableFormat } from "../table-format.ts";
import { callFields, findAgent, legIdentity } from "./asterisk-legs.ts";
import { ImportError } from "../../import-error.ts";

export const asterisk = createTableFormat({
  title: "Asterisk call detail records",
  hint: "Master.csv of cdr_csv or cdr_custom; --layout where its columns do not show themselves",
  takes: ["layout"],
  marks: ["clid", "start", "disposition"],
  layout: { recognise: recogniseLayout, parse: parseLayout },
  mapping: {
    fields: {
      ...callFields,
      datetime: "{start}",
      dnis: "{dst}",
    },
    identity: [...legIdentity, "{start}"],
  },
  createFinish: () => () => (entry, row) => ({ ...entry, agent: findAgent(row)?.extension }),
});

// cdr/cdr_csv.c, build_csv_record; what follows depends on loguniqueid, loguserfield and newcdrcolumns.
const CSV =
  "accountcode,src,dst,dcontext,clid,channel,dstchannel,lastapp,lastdata,start,answer,end,duration,billsec,disposition,amaflags".split(
    ",",
  );
const NEW_COLUMNS = ["peeraccount", "linkedid", "sequence"];

// configs/samples/cdr_custom.conf.sample
const CUSTOM =
  "clid,src,dst,dcontext,channel,dstchannel,lastapp,lastdata,start,answer,end,duration,billsec,disposition,amaflags,accountcode,uniqueid,userfield,sequence".split(
    ",",
  );

const START = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const CALLER = /^(?:".*" ?)?(?:<.*>|[\d+*#]*)$/s; // "Ann Lee" <1001>, <1001> or 1001
const DISPOSITION = /^(?:ANSWERED|NO ANSWER|BUSY|FAILED|CONGESTION|UNKNOWN)$/;
const UNIQUE_ID = /^(?:.+-)?\d{9,}\.\d+$/; // the second it began and a count, behind the name of the system

/** The columns of a record, recognised by the positions of start, clid and disposition. */
export function recogniseLayout(values: readonly string[]): readonly string[] | undefined {
  const { length } = values;
  if (length === CUSTOM.length && hasForm(values, CUSTOM)) return CUSTOM;
  const columns = [...CSV, ...toTail(values)];
  return length === columns.length && hasForm(values, columns) ? columns : undefined;
}

/** The columns of the option `layout`. Throws `ImportError` for an unknown layout. */
export function parseLayout(layout: string, values: readonly string[]): readonly string[] {
  if (layout === "csv") return [...CSV, ...toTail(values)];
  if (layout === "custom") return CUSTOM;
  const names = layout.split(",").map((name) => name.trim());
  if (names.includes("start")) return names;
  throw new ImportError(
    `the layout "${layout}" must be csv, custom or the names of the columns in their order, of which start is one`,
  );
}

function hasForm(values: readonly string[], columns: readonly string[]): boolean {
  const at = (column: string) => values[columns.indexOf(column)] ?? "";
  return START.test(at("start")) && CALLER.test(at("clid")) && DISPOSITION.test(at("disposition"));
}

function toTail(values: readonly string[]): readonly string[] {
  const extra = values.length - CSV.length;
  const newColumns = extra >= NEW_COLUMNS.length ? NEW_COLUMNS : [];
  const identifiers = extra - newColumns.length;
  if (identifiers === 2) return ["uniqueid", "userfield", ...newColumns];
  if (identifiers !== 1) return newColumns;
  const isUnique = UNIQUE_ID.test(values[CSV.length] ?? "");
  return [isUnique ? "uniqueid" : "userfield", ...newColumns];
}
