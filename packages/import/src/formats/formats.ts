// The formats an import reads: the closed table.
//
// Adding a format: a folder beside this file with one module that makes an `ImportFormat` (format.ts), and a line below.
// - Records in JSON, a line each or in an array of a document of any length: `createJsonFormat` (json-format.ts) needs where
//   the records lie, the keys that show the format, and a function from a record to entries of the archive's own format.
// - A table with a header: `createTableFormat` (table-format.ts) needs the columns that show the format and a mapping.
// - Anything else: a reader over `file.chunks()`, which are UTF-8 whatever the file was; `readLines` and `readTable`
//   cut them. A reader gives rows, each with its line, its text as it came, and its entries or the reason why not.
// Entries are checked behind the reader (entry/parse-entry.ts), so a reader only translates.
import { asterisk } from "./asterisk/asterisk-format.ts";
import { connect } from "./connect/connect-format.ts";
import { csv } from "./csv/csv-format.ts";
import { five9 } from "./five9/five9-format.ts";
import type { ImportFormat } from "./format.ts";
import { freepbx } from "./freepbx/freepbx-format.ts";
import { genesys } from "./genesys/genesys-format.ts";
import { json } from "./json/json-by-mapping.ts";
import { jsonl } from "./jsonl/jsonl-format.ts";
import { niceContacts } from "./nice-contacts/nice-contacts-format.ts";
import { niceReport } from "./nice-report/nice-report-format.ts";
import { aircall } from "./platforms/aircall.ts";
import { dialpad } from "./platforms/dialpad.ts";
import { genesysView } from "./platforms/genesys-view.ts";
import { threecx } from "./platforms/threecx.ts";
import { webex } from "./platforms/webex.ts";
import { zoom } from "./platforms/zoom.ts";
import { ringcentral } from "./ringcentral/ringcentral-format.ts";
import { transcript } from "./transcript/transcript-format.ts";
import { twilio } from "./twilio/twilio-format.ts";
import { vcon } from "./vcon/vcon-format.ts";

export const formats = {
  jsonl,
  vcon,
  five9,
  "nice-contacts": niceContacts,
  "nice-report": niceReport,
  asterisk,
  freepbx,
  connect,
  twilio,
  ringcentral,
  genesys,
  "genesys-view": genesysView,
  "3cx": threecx,
  zoom,
  aircall,
  dialpad,
  webex,
  transcript,
  csv,
  json,
} satisfies Record<string, ImportFormat>;

export type Format = keyof typeof formats;

export interface FormatInfo {
  readonly name: Format;
  /** For people: "Five9 call log". */
  readonly title: string;
  readonly hint: string | undefined;
}

/** In the order in which they are offered. */
export const FORMATS: readonly FormatInfo[] = Object.entries<ImportFormat>(formats).map(
  ([name, { title, hint }]) => ({ name: name as Format, title, hint }), // the keys of the table
);
