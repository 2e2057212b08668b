// Defines the content of a fake, and completes it to full records.
import type { Schema } from "@call-media/api";
import { fieldsOf } from "@call-media/api";
import { toBearerHash, toKeyHash } from "@call-media/service/credentials";
import type { ArchiveItem, CallStore, UserRecord } from "@call-media/store";
import { parseDatetime } from "@call-media/store/values";

/** How an application signs in. */
export interface FakeCredentials {
  readonly secretID: string;
  readonly secretKey: string;
}

/** A recording of a call; not empty. */
export interface FakeRecording {
  readonly filename: string;
  readonly bytes: Uint8Array;
}

/** A record of a call: any of its fields, and its recordings in order of their start. Omitted fields are null. */
export type FakeCall = Partial<Omit<Schema<"MetadataRecord">, "recordings">> & {
  readonly recordings?: readonly FakeRecording[];
  /** Session and master identifiers, which a search by reference also finds. */
  readonly references?: readonly string[];
};

/** A user with profile, address and rights. Omitted rights are granted, except `is_admin`. */
export type FakeUser = Partial<UserRecord> & {
  readonly id: number;
  /** How the user's application signs in. Default: derived from the id. */
  readonly credentials?: FakeCredentials;
  /** Default: derived from the id. */
  readonly apiKey?: string;
};

type FlagRecord = Schema<"PublicFlagRecord"> | Schema<"PrivateFlagRecord">;

/** A flag. A private one belongs to the user `user_id`. */
export type FakeFlag = Partial<FlagRecord> & {
  readonly Name: string;
  readonly user_id?: number;
};

/** The content of a fake. Without users, it has one administrator with the id 1. */
export interface FakeArchive {
  readonly calls?: readonly FakeCall[] | undefined;
  readonly users?: readonly FakeUser[] | undefined;
  readonly flags?: readonly FakeFlag[] | undefined;
  readonly chats?: readonly Partial<Schema<"ChatMessageRecord">>[] | undefined;
}

/** A user as stored in the archive, with the credentials. */
export interface User {
  readonly record: UserRecord;
  readonly credentials: FakeCredentials;
  readonly apiKey: string;
}

/** @throws TypeError if the list of users is empty, a user has an unknown field, or a datetime is invalid. */
export function checkSeed({ calls = [] }: FakeArchive, users: readonly User[], timeZone: string) {
  if (users.length === 0) throw new TypeError("users must not be empty");
  for (const { record } of users) checkFields(record);
  for (const { datetime, references = [] } of calls) {
    if (typeof datetime === "string" && typeof parseDatetime(datetime, timeZone) === "string")
      throw new TypeError(`datetime ${JSON.stringify(datetime)} is not a time`);
    if (references.length > 2)
      throw new TypeError("references must be a session and a master identifier at most");
  }
}

const USER_FIELDS: ReadonlySet<string> = new Set([
  ...fieldsOf("UserBasicRecord"),
  ...fieldsOf("UserAddressRecord"),
  ...fieldsOf("UserSecurityRecord"),
]);

/** Test runners do not check types, and a misspelt right would be granted. */
function checkFields(user: UserRecord): void {
  const unknown = Object.keys(user).find((field) => !USER_FIELDS.has(field));
  if (unknown !== undefined) throw new TypeError(`users have no field ${unknown}`);
}

export const toUsers = ({ users }: FakeArchive): readonly User[] =>
  (users ?? [{ id: 1, username: "admin", is_admin: true }]).map(toUser);

/** Writes the complete seed, with the credentials of its users. */
export async function fillStore(
  store: CallStore,
  seed: FakeArchive,
  users: readonly User[],
): Promise<void> {
  const rows: ArchiveItem[][] = [
    ...users.map(({ record }): ArchiveItem[] => [{ kind: "user", record }]),
    ...(seed.flags ?? []).map((flag, index) => [toFlag(flag, index)]),
    ...(seed.chats ?? []).map((chat): ArchiveItem[] => [{ kind: "chat", record: toMessage(chat) }]),
  ];
  for (const [index, call] of (seed.calls ?? []).entries())
    rows.push([await toCall(store, call, index)]);
  await using session = await store.openImport();
  const outcomes = await session.write(rows);
  const refused = outcomes.find((outcome) => typeof outcome === "object");
  if (refused !== undefined) throw new TypeError(refused.rejected);
  for (const user of users) await addCredentials(store, user);
}

async function addCredentials(
  store: CallStore,
  { record: { id: userId }, credentials: { secretID, secretKey }, apiKey }: User,
): Promise<void> {
  const keyHash = await toKeyHash(secretKey);
  await store.credentials.addApplication({ secretID, keyHash, userId, createdMs: 0 });
  const key = { id: `key_${userId}`, kind: "key", hash: toBearerHash(apiKey) } as const;
  await store.credentials.addBearer({ ...key, userId, createdMs: 0 });
}

const MODIFIED_MS = Date.parse("2026-01-01T00:00:00Z");

async function toCall(store: CallStore, call: FakeCall, index: number): Promise<ArchiveItem> {
  const { recordings: files = [], references = [], ...fields } = call;
  const empty = Object.fromEntries(fieldsOf("MetadataRecord").map((field) => [field, null]));
  const record = { ...(empty as Schema<"MetadataRecord">), ...fields, recordings: null };
  const parsed =
    record.datetime === null ? undefined : parseDatetime(record.datetime, store.timeZone);
  // A recording starts with its leg, so those of the first leg come first.
  const startMs = typeof parsed === "object" ? parsed.instantMs : undefined;
  const recordings = [];
  for (const { filename, bytes } of files) {
    const media = await store.media.put({ name: filename, content: bytes });
    recordings.push({ filename, startMs, media: { ...media, modifiedMs: MODIFIED_MS } });
  }
  const [sessionId, masterId] = references;
  // Records with the same call_id are separate legs, even if identical.
  const identity = record.call_id === null ? undefined : [String(index)];
  return { kind: "call", record, recordings, sessionId, masterId, identity };
}

const CREATED = "2026-01-01T00:00:00Z";

function toUser({ credentials, apiKey, ...fields }: FakeUser): User {
  const { id } = fields;
  const rights = fieldsOf("UserSecurityRecord").map((field) => [
    field,
    field.startsWith("allowed_") ? [] : field.startsWith("allow_"),
  ]);
  const address = fieldsOf("UserAddressRecord").map((field) => [field, ""]);
  const record = {
    ...Object.fromEntries([...address, ...rights]),
    ...PROFILE,
    username: `user-${id}`,
    ...fields,
  } as UserRecord; // every field that the contract has of a user
  return {
    record,
    // Constant across runs, so that tests can contain them.
    credentials: credentials ?? {
      secretID: `application-${id}`,
      secretKey: `secret-key-of-user-${id}`,
    },
    apiKey: apiKey ?? `api-key-of-user-${id}`,
  };
}

const PROFILE = {
  email_id: "",
  title: null,
  first_name: "",
  middle_name: null,
  last_name: null,
  status: 1,
  group: "",
  created_date: CREATED,
  modified_date: null,
  phone_country_code: "",
  phone_number: "",
  external_system_id: null,
  search_rights: null,
} satisfies Partial<UserRecord>;

function toFlag({ user_id: userId, ...given }: FakeFlag, index: number): ArchiveItem {
  const { Id = index + 1, Type = userId === undefined ? "Public" : "Private", Name } = given;
  const { DateCreated = CREATED, DateModified = CREATED } = given;
  return { kind: "flag", record: { Id, Type, Name, DateCreated, DateModified }, userId };
}

function toMessage(given: Partial<Schema<"ChatMessageRecord">>): Schema<"ChatMessageRecord"> {
  const { call_id = null, transcript = null, datetime = CREATED } = given;
  const { party_type = "Agent", label = null, room_id = "room-1" } = given;
  return { call_id, transcript, datetime, party_type, label, room_id };
}
