// Values of the wrong form, and fields that are wrong in only some records, which fields.ts cannot generate.
import { data, field, type Json, omit, ordered, records, toText } from "../edits/json.ts";
import { type Mutant, toMutants } from "./mutant.ts";

const withoutOffset = (value: Json) => toText(value).replace(/(Z|[+-]\d\d:\d\d)$/, "");
const emptyAsNull = (value: Json) => (Array.isArray(value) && value.length === 0 ? null : value);

export const values: readonly Mutant[] = [
  ...toMutants("field missing", "interface", {
    "record-without-nulls": [
      "searchMetadataByCustomFields",
      records((record) =>
        omit(
          record,
          Object.keys(record).filter((name) => record[name] === null),
        ),
      ),
    ],
  }),
  ...toMutants("field retyped", "interface", {
    "user-status-as-word": [
      "listUsers",
      field("status", (value) => (value === 1 ? "active" : "inactive")),
    ],
    "message-time-as-number": [
      "getChatByCallId",
      field("datetime", (value) => Date.parse(toText(value)) / 1000),
    ],
  }),
  ...toMutants("field retyped", "decision", {
    "talk-time-as-duration": [
      "searchMetadata",
      field("talk_time", (value) => `PT${toText(value)}S`),
    ],
    "recordings-as-list": [
      "getMetadataByReference",
      field("recordings", (value) => toText(value).split("; ")),
    ],
  }),
  ...toMutants("null", "interface", {
    "allowed-list-null": ["getUserSecurityRights", field("allowed_groups", emptyAsNull)],
    "empty-data-null": [
      ["getMetadataByCallId", "getChatByCallId", "listPrivateFlags"],
      data(emptyAsNull),
    ],
  }),
  ...toMutants("field order", "interface", {
    "record-by-alphabet": ["getMetadataByCallId", ordered((names) => names.toSorted())],
  }),
  ...toMutants("value", "interface", {
    "created-date-without-offset": ["listUsers", field("created_date", withoutOffset)],
    "flag-date-with-slashes": ["listPublicFlags", field("DateCreated", "11/04/2024 09:00")],
    "message-time-without-offset": ["getChatByCallId", field("datetime", withoutOffset)],
    "call-time-in-words": [
      "getMetadataByReference",
      field("datetime", (value) => new Date(toText(value)).toUTCString()),
    ],
    "date-not-real": [
      "listPrivateFlags",
      field("DateModified", (value) => toText(value).replace(/-\d\d-\d\dT/, "-02-31T")),
    ],
    "public-flag-typed-lower": ["listPublicFlags", field("Type", "public")],
    "private-flag-typed-public": ["listPrivateFlags", field("Type", "Public")],
    "allowed-all-and-listed": [
      "getUserSecurityRights",
      "allowed_secure02 lists values although allow_all_secure02 is true",
      records((record) => ({
        ...record,
        allow_all_secure02: true,
        allowed_secure02: ["Standard"],
      })),
    ],
  }),
];
