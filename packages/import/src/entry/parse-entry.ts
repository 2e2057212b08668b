// The edge of the archive: checks an object of its own format (README, "jsonl") from any source, and turns it into an
// item that the store can trust. The other formats are translated into this one and pass through here as well.
import {
  type ArchiveItem,
  type ChatMessageRecord,
  type FlagRecord,
  type MetadataRecord,
  toStatusName,
  type UserRecord,
} from "@call-media/store";
import { RowFault } from "../source-row.ts";
import type { Clock } from "./clock.ts";
import { checkInteger, checkText, toKind } from "@call-media/store/values";
import { isObject } from "../json.ts";
import { checkIdentifier } from "./identifier.ts";
import { CONTROL, type MediaEntry, parseMedia } from "./media-entry.ts";
import { createRecordParser } from "./record-parser.ts";

/** An item and, for a call, the recordings that are still to be taken into the archive. */
export interface ParsedEntry {
  readonly item: ArchiveItem;
  readonly media: readonly MediaEntry[];
}

type Entry = Record<string, unknown>;
type Kind = ArchiveItem["kind"];

const NO_MEDIA: readonly MediaEntry[] = [];

/** Throws `RowFault` for whatever is not such an entry. */
export function createEntryParser(clock: Clock): (entry: unknown) => ParsedEntry {
  const parsers = {
    call: createCallParser(clock),
    user: createUserParser(clock),
    flag: createFlagParser(clock),
    chat: createChatParser(clock),
  } satisfies Record<Kind, (entry: Entry) => ParsedEntry>;
  const isKind = (kind: unknown): kind is Kind =>
    typeof kind === "string" && Object.hasOwn(parsers, kind);

  return (entry) => {
    if (!isObject(entry)) throw new RowFault(`must be a JSON object, not ${toKind(entry)}`);
    const { kind } = entry;
    if (!isKind(kind)) {
      const fault = kind === undefined ? "missing" : `${JSON.stringify(kind)} is not a kind`;
      throw new RowFault(`kind: ${fault}, it must be ${Object.keys(parsers).join(", ")}`);
    }
    return parsers[kind](entry);
  };
}

function createCallParser(clock: Clock) {
  const parse = createRecordParser<MetadataRecord>({
    schemas: ["MetadataRecord"],
    besides: [
      "kind",
      "session_id",
      "master_id",
      "media_field",
      "revised",
      "keeps_recordings",
      "identity",
    ],
  });
  return (entry: Entry): ParsedEntry => {
    const list = Array.isArray(entry["media"]) ? entry["media"] : undefined;
    const record = parse(
      list === undefined && entry["media_field"] === undefined ? entry : withMediaField(entry),
    );
    if (record.recordings !== null && CONTROL.test(record.recordings))
      throw new RowFault("recordings: has a control character");
    if (record.datetime !== null) record.datetime = clock.keep("datetime", record.datetime);
    const media = list === undefined ? NO_MEDIA : parseMedia(list, clock);
    const sessionId = readOptional(entry, "session_id");
    const masterId = readOptional(entry, "master_id");
    checkIdentifier("call_id", record.call_id);
    checkIdentifier("ref_id", record.ref_id);
    checkIdentifier("session_id", sessionId);
    checkIdentifier("master_id", masterId);
    const revised = readOptional(entry, "revised");
    const revisedMs = revised === undefined ? undefined : clock.toInstantMs("revised", revised);
    const keepsRecordings = readKeeping(entry, record);
    const identity = readIdentity(entry);
    const more = { sessionId, masterId, revisedMs, identity, keepsRecordings };
    return { item: { kind: "call", record, ...more, recordings: [] }, media };
  };
}

function readKeeping(entry: Entry, { recordings }: MetadataRecord): boolean {
  const keeps = readFlag(entry, "keeps_recordings");
  if (keeps && (Array.isArray(entry["media"]) || recordings !== null))
    throw new RowFault("keeps_recordings: the entry gives recordings of its own");
  return keeps;
}

// It lies in an index of the archive.
const MAX_IDENTITY_LENGTH = 4_096;

function readIdentity({ identity = null }: Entry): (string | null)[] | undefined {
  if (identity === null) return undefined;
  if (!Array.isArray(identity) || identity.length === 0)
    throw new RowFault("identity: must be an array of strings or null, and not empty");
  for (const value of identity) {
    const fault = value === null ? undefined : checkText(value);
    if (fault !== undefined) throw new RowFault(`identity: each value ${fault}`);
  }
  if (JSON.stringify(identity).length > MAX_IDENTITY_LENGTH)
    throw new RowFault(`identity: must have at most ${MAX_IDENTITY_LENGTH} characters in all`);
  return identity;
}

function readFlag(entry: Entry, key: "keeps_recordings"): boolean {
  const value = entry[key] ?? false;
  if (typeof value === "boolean") return value;
  throw new RowFault(`${key}: must be true or false, not ${toKind(value)}`);
}

// `media` is a field of the record and, as an array, the list of recordings; then the field is called `media_field`.
function withMediaField(entry: Entry): Entry {
  const { media, media_field = null, ...others } = entry;
  if (media !== undefined && !Array.isArray(media))
    throw new RowFault("media_field: media gives that field already");
  const fault = media_field === null ? undefined : checkText(media_field);
  if (fault !== undefined) throw new RowFault(`media_field: ${fault}`);
  return { ...others, media: media_field };
}

function readOptional(
  entry: Entry,
  key: "session_id" | "master_id" | "revised",
): string | undefined {
  const value = entry[key];
  if (value === undefined || value === null) return undefined;
  const fault = checkText(value);
  if (fault !== undefined || typeof value !== "string") throw new RowFault(`${key}: ${fault}`);
  return value;
}

function createUserParser(clock: Clock) {
  const texts = ["email_id", "first_name", "group", "phone_country_code", "phone_number"];
  const address = ["address", "city", "state", "zip_code", "country"];
  const parse = createRecordParser<UserRecord>({
    schemas: ["UserBasicRecord", "UserAddressRecord", "UserSecurityRecord"],
    besides: ["kind"],
    defaults: Object.fromEntries([...texts, ...address].map((field) => [field, ""])),
  });
  return (entry: Entry): ParsedEntry => {
    const record = parse(entry);
    if (toStatusName(record.status) === undefined)
      throw new RowFault("status: must be 1 (active), 0 (inactive) or 2 (deleted)");
    record.created_date = clock.complete("created_date", record.created_date);
    if (record.modified_date !== null)
      record.modified_date = clock.keep("modified_date", record.modified_date);
    return { item: { kind: "user", record }, media: NO_MEDIA };
  };
}

function createFlagParser(clock: Clock) {
  const besides = ["kind", "user_id"];
  const parsers = {
    Public: createRecordParser<FlagRecord>({ schemas: ["PublicFlagRecord"], besides }),
    Private: createRecordParser<FlagRecord>({ schemas: ["PrivateFlagRecord"], besides }),
  };
  return (entry: Entry): ParsedEntry => {
    const { Type, DateCreated, DateModified = DateCreated } = entry;
    if (Type === undefined) throw new RowFault("Type: missing");
    if (Type !== "Public" && Type !== "Private")
      throw new RowFault(`Type: must be one of ${Object.keys(parsers).join(", ")}`);
    const record = parsers[Type](DateModified === undefined ? entry : { ...entry, DateModified });
    record.DateCreated = clock.complete("DateCreated", record.DateCreated);
    record.DateModified = clock.complete("DateModified", record.DateModified);
    return {
      item: { kind: "flag", record, userId: readOwner(record, entry["user_id"] ?? null) },
      media: NO_MEDIA,
    };
  };
}

function readOwner({ Type }: FlagRecord, owner: unknown): number | undefined {
  if (Type === "Public" && owner !== null)
    throw new RowFault("user_id: a Public flag belongs to nobody");
  if (Type === "Public") return undefined;
  if (owner === null) throw new RowFault("user_id: missing, a Private flag belongs to a user");
  const fault = checkInteger(owner);
  if (fault !== undefined || typeof owner !== "number") throw new RowFault(`user_id: ${fault}`);
  return owner;
}

function createChatParser(clock: Clock) {
  const parse = createRecordParser<ChatMessageRecord>({
    schemas: ["ChatMessageRecord"],
    besides: ["kind"],
  });
  return (entry: Entry): ParsedEntry => {
    const record = parse(entry);
    checkIdentifier("call_id", record.call_id);
    record.datetime = clock.complete("datetime", record.datetime);
    return { item: { kind: "chat", record }, media: NO_MEDIA };
  };
}
