// Values of the wrong form, and fields that are wrong in only some records, which fields.ts cannot generate.
import { data, field, omit, ordered, records, toText } from "../edits/json.ts";
import { type Mutant, toMutants } from "./mutant.ts";

const withoutOffset = (value: unknown) => String(value).replace(/(Z|[+-]\d\d:\d\d)$/, "");

export const values: readonly Mutant[] = [
  ...toMutants("field missing", "interface", {
    "record-without-nulls": [
      "searchMetadataByCustomFields",
      "a call record leaves out what is null",
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
      "status of a user is a word",
      field("status", (value) => (value === 1 ? "active" : "inactive")),
    ],
    "message-time-as-number": [
      "getChatByCallId",
      "datetime of a chat message is a number of seconds",
      field("datetime", (value) => Date.parse(toText(value)) / 1000),
    ],
  }),
  ...toMutants("field retyped", "decision", {
    "talk-time-as-duration": [
      "searchMetadata",
      "talk_time is a duration such as PT41S",
      field("talk_time", (value) => `PT${toText(value)}S`),
    ],
    "recordings-as-list": [
      "getMetadataByReference",
      "recordings is an array",
      field("recordings", (value) => toText(value).split("; ")),
    ],
  }),
  ...toMutants("null", "interface", {
    "allowed-list-null": [
      "getUserSecurityRights",
      "an empty allowed_groups is null",
      field("allowed_groups", (value) =>
        Array.isArray(value) && value.length === 0 ? null : value,
      ),
    ],
    "empty-data-null": [
      ["getMetadataByCallId", "getChatByCallId", "listPrivateFlags"],
      "data is null where nothing was found",
      data((content) => (Array.isArray(content) && content.length === 0 ? null : content)),
    ],
  }),
  ...toMutants("field order", "interface", {
    "record-by-alphabet": [
      "getMetadataByCallId",
      "fields of a call record are in the order of the alphabet",
      ordered((names) => names.toSorted()),
    ],
  }),
  ...toMutants("value", "interface", {
    "created-date-without-offset": [
      "listUsers",
      "created_date has no offset",
      field("created_date", withoutOffset),
    ],
    "flag-date-with-slashes": [
      "listPublicFlags",
      "DateCreated is written 11/04/2024 09:00",
      field("DateCreated", "11/04/2024 09:00"),
    ],
    "message-time-without-offset": [
      "getChatByCallId",
      "datetime of a chat message has no offset",
      field("datetime", withoutOffset),
    ],
    "call-time-in-words": [
      "getMetadataByReference",
      "datetime of a call record is written Mon, 02 Mar 2026 06:14:00 GMT",
      field("datetime", (value) => new Date(toText(value)).toUTCString()),
    ],
    "date-not-real": [
      "listPrivateFlags",
      "DateModified is on the 31st of February",
      field("DateModified", (value) => toText(value).replace(/-\d\d-\d\dT/, "-02-31T")),
    ],
    "public-flag-typed-lower": [
      "listPublicFlags",
      "Type of a flag is public",
      field("Type", "public"),
    ],
    "private-flag-typed-public": [
      "listPrivateFlags",
      "Type of a private flag is Public",
      field("Type", "Public"),
    ],
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
