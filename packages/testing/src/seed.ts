// What a fake is filled with, and the whole records that are made of it.
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

/** A record of a call: any of its fields, and its recordings in order of their start. What is left out is null. */
export type FakeCall = Partial<Omit<Schema<"MetadataRecord">, "recordings">> & {
  readonly recordings?: readonly FakeRecording[];
  /** Session and master identifier, by which a search by reference finds it too. */
  readonly references?: readonly string[];
};

/** A user with profile, address and rights. What is left out of the rights is granted, but for `is_admin`. */
export type FakeUser = Partial<UserRecord> & {
  readonly id: number;
  /** How their application signs in. Default: made of the id. */
  readonly credentials?: FakeCredentials;
  /** Default: made of the id. */
  readonly apiKey?: string;
};

type FlagRecord = Schema<"PublicFlagRecord"> | Schema<"PrivateFlagRecord">;

/** A flag. A private one belongs to the user `user_id`. */
export type FakeFlag = Partial<FlagRecord> & {
  readonly Name: string;
  readonly user_id?: number;
};

/** What a fake holds. Without users there is one, an administrator with the id 1. */
export interface FakeArchive {
  readonly calls?: readonly FakeCall[] | undefined;
  readonly users?: readonly FakeUser[] | undefined;
  readonly flags?: readonly FakeFlag[] | undefined;
  readonly chats?: readonly Partial<Schema<"ChatMessageRecord">>[] | undefined;
}

/** A user as the archive has it, and what opens it. */
export interface User {
  readonly record: UserRecord;
  readonly credentials: FakeCredentials;
  readonly apiKey: string;
}

/** @throws TypeError where there are no users, a user has an unknown field, or a datetime says no moment. */
export function checkSeed({ calls = [] }: FakeArchive, users: readonly User[], timeZone: string) {
  if (users.length === 0) throw new TypeError("users must not be empty");
  for (const { record } of users) checkFields(record);
  for (const { datetime, references = [] } of calls) {
    if (typeof datetime === "string" && typeof parseDatetime(datetime, timeZone) === "string")
      throw new TypeError(`datetime ${JSON.stringify(datetime)} is no moment`);
    if (references.length > 2)
      throw new TypeError("references must be a session and a master identifier at most");
  }
}

const USER_FIELDS: ReadonlySet<string> = new Set([
  ...fieldsOf("UserBasicRecord"),
  ...fieldsOf("UserAddressRecord"),
  ...fieldsOf("UserSecurityRecord"),
]);

/** Test runners do not check types, and a right that is misspelt would be granted. */
function checkFields(user: UserRecord): void {
  const unknown = Object.keys(user).find((field) => !USER_FIELDS.has(field));
  if (unknown !== undefined) throw new TypeError(`users have no field ${unknown}`);
}

export const toUsers = ({ users }: FakeArchive): readonly User[] =>
  (users ?? [{ id: 1, username: "admin", is_admin: true }]).map(toUser);

/** Writes all of it, with the credentials of its users. */
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
  // The recordings of a call are those of its first leg first.
  const startMs = typeof parsed === "object" ? parsed.instantMs : undefined;
  const recordings = [];
  for (const { filename, bytes } of files) {
    const media = await store.media.put({ name: filename, content: bytes });
    recordings.push({ filename, startMs, media: { ...media, modifiedMs: MODIFIED_MS } });
  }
  const [sessionId, masterId] = references;
  // Records of one call_id are legs of it, however alike they are.
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
    // The same in every run, so that they can stand in a test.
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
