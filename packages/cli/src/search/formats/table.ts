// Calls as a table.
import type { Field } from "@call-media/handover";
import type { CallRecord } from "@call-media/client";
import { createTable } from "@call-media/terminal";
import type { FormatOptions, RecordFormat } from "./record-format.ts";

/** The fields that people look for first. */
const COLUMNS: readonly Field[] = [
  "datetime",
  "call_id",
  "agent",
  "ani",
  "campaign",
  "disposition",
  "talk_time",
  "recordings",
];

/** Calls are looked up by these. */
const KEPT: ReadonlySet<Field> = new Set(["datetime", "call_id", "ref_id"]);

export function createCallTable({ columns, showDatetime, width }: FormatOptions): RecordFormat {
  const fields = columns ?? COLUMNS;
  const mayLeaveOut = columns === undefined; // the user did not ask for them
  const table = createTable({ columns: fields, kept: KEPT, mayLeaveOut, width });
  const toValue = (record: CallRecord, field: Field) =>
    field === "datetime" && record.datetime ? showDatetime(record.datetime) : record[field];
  return {
    begin: () => "",
    add: (records) =>
      table.toText(records.map((record) => fields.map((field) => toValue(record, field)))),
    end: table.end,
  };
}
