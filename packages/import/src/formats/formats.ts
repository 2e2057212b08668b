// The formats an import reads: the closed table.
//
// Adding a format: a module in platforms/ that makes an `ImportFormat` (format.ts), and a line below.
// - Records in JSON, a line each or in an array of a document of any length: `createJsonFormat` (json-format.ts) needs where
//   the records lie, the keys that show the format, and a function from a record to entries of the archive's own format.
// - A table with a header: `createTableFormat` (table-format.ts) needs the columns that show the format and a mapping.
// - Anything else: a reader over `file.chunks()`, which are UTF-8 whatever the file was; `readLines` and `readTable`
//   cut them. A reader gives rows, each with its line, its text as it came, and its entries or the reason why not.
// Entries are checked behind the reader (entry/parse-entry.ts), so a reader only translates.
import { asterisk } from "./platforms/asterisk.ts";
import { connect } from "./platforms/connect.ts";
import { csv, json } from "./mapping/mapped-formats.ts";
import { five9 } from "./five9/five9-format.ts";
import type { ImportFormat } from "./format.ts";
import { freepbx } from "./platforms/freepbx.ts";
import { genesys } from "./genesys/genesys.ts";
import { jsonl } from "./jsonl.ts";
import { niceContacts } from "./platforms/nice-contacts.ts";
import { niceReport } from "./platforms/nice-report.ts";
import { aircall } from "./platforms/aircall.ts";
import { dialpad } from "./platforms/dialpad.ts";
import { genesysView } from "./platforms/genesys-view.ts";
import { threecx } from "./platforms/threecx.ts";
import { webex } from "./platforms/webex.ts";
import { zoom } from "./platforms/zoom.ts";
import { ringcentral } from "./platforms/ringcentral.ts";
import { transcript } from "./transcript/transcript-format.ts";
import { twilio } from "./platforms/twilio.ts";
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
