// Fields that are null where a value has to be, in another order, or with a value of the wrong form.
import { data, field, ordered, records, toText } from "../edits/json.ts";
import type { Mutant } from "./mutant.ts";

export const nulls: readonly Mutant[] = [
  {
    id: "username-null",
    class: "null",
    operation: "listUsers",
    contract: "interface",
    says: "username of a user is null",
    mutate: field("username", () => null),
  },
  {
    id: "flag-name-null",
    class: "null",
    operation: "listPublicFlags",
    contract: "interface",
    says: "Name of a flag is null",
    mutate: field("Name", () => null),
  },
  {
    id: "city-null",
    class: "null",
    operation: "getUserAddresses",
    contract: "interface",
    says: "city of an address is null",
    mutate: field("city", () => null),
  },
  {
    id: "right-null",
    class: "null",
    operation: "getUserSecurityRights",
    contract: "interface",
    says: "allow_reports is null",
    mutate: field("allow_reports", () => null),
  },
  {
    id: "allowed-list-null",
    class: "null",
    operation: "getUserSecurityRights",
    contract: "interface",
    says: "an empty allowed_groups is null",
    mutate: field("allowed_groups", (value) =>
      Array.isArray(value) && value.length === 0 ? null : value,
    ),
  },
  {
    id: "room-null",
    class: "null",
    operation: "getChatByCallId",
    contract: "interface",
    says: "room_id of a chat message is null",
    mutate: field("room_id", () => null),
  },
  {
    id: "filename-null",
    class: "null",
    operation: "getRecordingByReference",
    contract: "interface",
    says: "filename of a recording is null",
    mutate: field("filename", () => null),
  },
  {
    id: "empty-data-null",
    class: "null",
    operation: ["getMetadataByCallId", "getChatByCallId", "listPrivateFlags"],
    contract: "interface",
    says: "data is null where nothing was found",
    mutate: data((content) => (Array.isArray(content) && content.length === 0 ? null : content)),
  },
];

export const fieldOrder: readonly Mutant[] = [
  {
    id: "record-by-alphabet",
    class: "field order",
    operation: "getMetadataByCallId",
    contract: "interface",
    says: "fields of a call record are in the order of the alphabet",
    mutate: ordered((names) => names.toSorted()),
  },
  {
    id: "record-with-datetime-last",
    class: "field order",
    operation: "searchMetadata",
    contract: "interface",
    says: "datetime is the last field of a call record",
    mutate: ordered(([first = "", ...others]) => [...others, first]),
  },
  {
    id: "user-by-alphabet",
    class: "field order",
    operation: "listUsers",
    contract: "decision",
    says: "fields of a user are in the order of the alphabet",
    mutate: ordered((names) => names.toSorted()),
  },
  {
    id: "rights-backwards",
    class: "field order",
    operation: "getUserSecurityRights",
    contract: "decision",
    says: "fields of a security record are in the opposite order",
    mutate: ordered((names) => names.toReversed()),
  },
];

const withoutOffset = (value: unknown) => String(value).replace(/(Z|[+-]\d\d:\d\d)$/, "");

export const values: readonly Mutant[] = [
  {
    id: "created-date-without-offset",
    class: "value",
    operation: "listUsers",
    contract: "interface",
    says: "created_date has no offset",
    mutate: field("created_date", withoutOffset),
  },
  {
    id: "flag-date-with-slashes",
    class: "value",
    operation: "listPublicFlags",
    contract: "interface",
    says: "DateCreated is written 11/04/2024 09:00",
    mutate: field("DateCreated", "11/04/2024 09:00"),
  },
  {
    id: "message-time-without-offset",
    class: "value",
    operation: "getChatByCallId",
    contract: "interface",
    says: "datetime of a chat message has no offset",
    mutate: field("datetime", withoutOffset),
  },
  {
    id: "call-time-in-words",
    class: "value",
    operation: "getMetadataByReference",
    contract: "interface",
    says: "datetime of a call record is written Mon, 02 Mar 2026 06:14:00 GMT",
    mutate: field("datetime", (value) => new Date(toText(value)).toUTCString()),
  },
  {
    id: "date-not-real",
    class: "value",
    operation: "listPrivateFlags",
    contract: "interface",
    says: "DateModified is on the 31st of February",
    mutate: field("DateModified", (value) => toText(value).replace(/-\d\d-\d\dT/, "-02-31T")),
  },
  {
    id: "public-flag-typed-lower",
    class: "value",
    operation: "listPublicFlags",
    contract: "interface",
    says: "Type of a flag is public",
    mutate: field("Type", "public"),
  },
  {
    id: "private-flag-typed-public",
    class: "value",
    operation: "listPrivateFlags",
    contract: "interface",
    says: "Type of a private flag is Public",
    mutate: field("Type", "Public"),
  },
  {
    id: "allowed-all-and-listed",
    class: "value",
    operation: "getUserSecurityRights",
    contract: "interface",
    says: "allowed_secure02 lists values although allow_all_secure02 is true",
    mutate: records((record) => ({
      ...record,
      allow_all_secure02: true,
      allowed_secure02: ["Standard"],
    })),
  },
];
