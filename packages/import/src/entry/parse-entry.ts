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
import { Faults } from "../faults.ts";
import { RowFault, type UnfitRow } from "../source-row.ts";
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

export type ParseEntry = (entry: unknown) => ParsedEntry;

/** The entries of a row. Throws `RowFault`, naming all fields that are missing or wrong. */
export function parseAll(entries: readonly unknown[], parse: ParseEntry, faults = new Faults()) {
  const parsed = entries.flatMap((entry) => faults.attempt(() => parse(entry)) ?? []);
  faults.end();
  return parsed;
}

/** The fault of a rejected row, with the faults that its reader did not look for. */
export function toFault(row: UnfitRow, parse: ParseEntry): RowFault {
  const fault = row.fault ?? new RowFault(row.reason);
  const faults = new Faults();
  try {
    faults.add(fault);
    parseAll(fault.entries, parse, faults);
  } catch (error) {
    if (error instanceof RowFault) return new RowFault(error.faults, fault.entries);
    throw error;
  }
  return fault;
}

/** Throws `RowFault` for whatever is not such an entry, naming all fields that are missing or wrong. */
export function createEntryParser(clock: Clock): ParseEntry {
  const parsers = {
    call: createCallParser(clock),
    user: createUserParser(clock),
    flag: createFlagParser(clock),
    chat: createChatParser(clock),
  } satisfies Record<Kind, (entry: Entry, faults: Faults) => ParsedEntry>;
  const isKind = (kind: unknown): kind is Kind =>
    typeof kind === "string" && Object.hasOwn(parsers, kind);

  return (entry) => {
    if (!isObject(entry)) throw new RowFault(`must be a JSON object, not ${toKind(entry)}`);
    const { kind } = entry;
    if (!isKind(kind)) {
      const fault = kind === undefined ? "missing" : `${JSON.stringify(kind)} is not a kind`;
      throw new RowFault(`kind: ${fault}, it must be ${Object.keys(parsers).join(", ")}`);
    }
    const faults = new Faults();
    const parsed = parsers[kind](entry, faults);
    faults.end();
    return parsed;
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
  return (entry: Entry, faults: Faults): ParsedEntry => {
    const list = Array.isArray(entry["media"]) ? entry["media"] : undefined;
    const isPlain = list === undefined && entry["media_field"] === undefined;
    const record = parse(isPlain ? entry : withMediaField(entry, faults), faults);
    const { datetime, recordings } = record;
    if (recordings !== null && CONTROL.test(recordings))
      faults.add(new RowFault("recordings: has a control character"));
    if (datetime !== null)
      record.datetime = faults.attempt(() => clock.keep("datetime", datetime)) ?? null;
    const media = list === undefined ? NO_MEDIA : parseMedia(list, clock, faults);
    const sessionId = readOptional(entry, "session_id", faults);
    const masterId = readOptional(entry, "master_id", faults);
    const { call_id, ref_id } = record;
    const ids = { call_id, ref_id, session_id: sessionId, master_id: masterId };
    for (const [field, id] of Object.entries(ids)) faults.attempt(() => checkIdentifier(field, id));
    const revised = readOptional(entry, "revised", faults);
    const revisedMs =
      revised === undefined
        ? undefined
        : faults.attempt(() => clock.toInstantMs("revised", revised));
    const keepsRecordings = faults.attempt(() => readKeeping(entry, record)) ?? false;
    const identity = faults.attempt(() => readIdentity(entry));
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
function withMediaField({ media, media_field = null, ...others }: Entry, faults: Faults): Entry {
  const isTwice = media !== undefined && !Array.isArray(media);
  const ofText = media_field === null ? undefined : checkText(media_field);
  const fault = isTwice ? "media gives that field already" : ofText;
  if (fault === undefined) return { ...others, media: media_field };
  faults.add(new RowFault(`media_field: ${fault}`));
  return others;
}

function readOptional(
  entry: Entry,
  key: "session_id" | "master_id" | "revised",
  faults: Faults,
): string | undefined {
  const value = entry[key];
  if (value === undefined || value === null) return undefined;
  const fault = checkText(value);
  if (fault === undefined && typeof value === "string") return value;
  faults.add(new RowFault(`${key}: ${fault}`));
  return undefined;
}

function createUserParser(clock: Clock) {
  const texts = ["email_id", "first_name", "group", "phone_country_code", "phone_number"];
  const address = ["address", "city", "state", "zip_code", "country"];
  const parse = createRecordParser<UserRecord>({
    schemas: ["UserBasicRecord", "UserAddressRecord", "UserSecurityRecord"],
    besides: ["kind"],
    defaults: Object.fromEntries([...texts, ...address].map((field) => [field, ""])),
  });
  return (entry: Entry, faults: Faults): ParsedEntry => {
    const record = parse(entry, faults);
    if (!faults.has("status") && toStatusName(record.status) === undefined)
      faults.add(new RowFault("status: must be 1 (active), 0 (inactive) or 2 (deleted)"));
    complete(record, "created_date", { clock, faults });
    const { modified_date: modified } = record;
    if (modified !== null)
      record.modified_date = faults.attempt(() => clock.keep("modified_date", modified)) ?? null;
    return { item: { kind: "user", record }, media: NO_MEDIA };
  };
}

/** Writes a datetime of the record in the form that it has in the archive. */
function complete<K extends string>(
  record: Record<K, string>,
  field: K,
  { clock, faults }: { readonly clock: Clock; readonly faults: Faults },
): void {
  if (faults.has(field)) return;
  record[field] = faults.attempt(() => clock.complete(field, record[field])) ?? "";
}

function createFlagParser(clock: Clock) {
  const besides = ["kind", "user_id"];
  const parsers = {
    Public: createRecordParser<FlagRecord>({ schemas: ["PublicFlagRecord"], besides }),
    Private: createRecordParser<FlagRecord>({ schemas: ["PrivateFlagRecord"], besides }),
  };
  return (entry: Entry, faults: Faults): ParsedEntry => {
    const { Type, DateModified } = entry;
    if (Type === undefined) throw new RowFault("Type: missing");
    if (Type !== "Public" && Type !== "Private")
      throw new RowFault(`Type: must be one of ${Object.keys(parsers).join(", ")}`);
    const isUnmodified = DateModified === undefined;
    const record = parsers[Type](isUnmodified ? { ...entry, DateModified: "" } : entry, faults);
    complete(record, "DateCreated", { clock, faults });
    if (isUnmodified) record.DateModified = record.DateCreated;
    else complete(record, "DateModified", { clock, faults });
    const userId = faults.attempt(() => readOwner(record, entry["user_id"] ?? null));
    return { item: { kind: "flag", record, userId }, media: NO_MEDIA };
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
  return (entry: Entry, faults: Faults): ParsedEntry => {
    const record = parse(entry, faults);
    if (!faults.has("call_id")) faults.attempt(() => checkIdentifier("call_id", record.call_id));
    complete(record, "datetime", { clock, faults });
    return { item: { kind: "chat", record }, media: NO_MEDIA };
  };
}
