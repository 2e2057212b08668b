// Calls whose values spreadsheets like to change, and the sheet of them.
import { fieldsOf } from "@call-media/api";
import type { CallRecord } from "@call-media/client";
import { type CallSheetOptions, createCallSheet } from "../../src/index.ts";

const NOTHING = Object.fromEntries(fieldsOf("MetadataRecord").map((field) => [field, null]));
export const toCall = (values: Partial<CallRecord>) => ({ ...NOTHING, ...values }) as CallRecord; // all fields are there

/** Values of which spreadsheets like to make numbers, dates, formulas, booleans or nothing. */
export const TRAPS: Partial<CallRecord> = {
  call_id: "00123456789012345678",
  dnis: "08005551234",
  zip: "01234",
  phone_number1: "+4930123456",
  skill_id: "12E3",
  disposition: "1-2",
  custom_field_1: "MAR-1",
  custom_field_2: "3/4",
  custom_field_3: "0049301234",
  custom_field_4: "-5",
  custom_field_5: "@SUM(A1)",
  custom_field_6: " =1+1",
  custom_field_7: "TRUE",
  custom_field_8: '=HYPERLINK("http://a.example")',
  custom_field_9: "'quoted",
  custom_field_10: "_x0041_ stays",
  custom_field_11: "<b>&amp;</b>",
  custom_field_12: "Zoë 👩‍👩‍👧 سلام",
  custom_field_13: "  spaces  ",
  custom_field_14: "#N/A",
  notes: 'line 1\r\nline 2\n"quoted", comma; semicolon\ttab',
};

export const call = toCall({ datetime: "2026-03-05T10:00:01+00:00", talk_time: 61, ...TRAPS });

export function toSheet(
  calls: readonly CallRecord[],
  options: Partial<CallSheetOptions> = {},
): Buffer {
  const parts: Uint8Array[] = [];
  const sheet = createCallSheet({ fields: fieldsOf("MetadataRecord"), ...options }, (bytes) =>
    parts.push(bytes),
  );
  sheet.add(calls);
  sheet.end();
  return Buffer.concat(parts);
}

/** What some readers make of line breaks within a cell. */
export const toLineFeeds = (text: string) => text.replaceAll("\r\n", "\n");
