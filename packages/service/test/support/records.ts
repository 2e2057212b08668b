// Users, calls, recordings and credentials for tests: real ones, of which a test says only what it is about.
import { fieldsOf } from "@call-media/api";
import { createApiKey, createApplication as create } from "@call-media/service/credentials";
import type {
  ArchiveItem,
  CallStore,
  MetadataRecord,
  Recording,
  UserRecord,
} from "@call-media/store";

/** Imports them; throws when one is rejected. */
export async function addItems(store: CallStore, items: readonly ArchiveItem[]): Promise<void> {
  await using session = await store.openImport();
  const outcomes = await session.write(items.map((item) => [item]));
  const refused = outcomes.find((outcome) => typeof outcome === "object");
  if (refused !== undefined) throw new Error(refused.rejected);
}

/** A call with these fields and null in all others. */
export function toCall(
  fields: Partial<MetadataRecord>,
  recordings: readonly Recording[] = [],
): Extract<ArchiveItem, { kind: "call" }> {
  const empty = Object.fromEntries(fieldsOf("MetadataRecord").map((field) => [field, null]));
  return { kind: "call", record: { ...(empty as MetadataRecord), ...fields }, recordings };
}

const ALL_RIGHTS = fieldsOf("UserSecurityRecord").filter((field) => field.startsWith("allow_"));

/** Rights over everything, but not an administrator's. */
export const ALLOWED_ALL = Object.fromEntries(
  ALL_RIGHTS.map((field) => [field, true]),
) as Partial<UserRecord>;

/** An active user who may do nothing, with these fields instead. */
export function toUser(fields: Partial<UserRecord> & { id: number; username: string }): UserRecord {
  const lists = fieldsOf("UserSecurityRecord").filter((field) => field.startsWith("allowed_"));
  return {
    email_id: `${fields.username}@example.com`,
    title: null,
    first_name: "Test",
    middle_name: null,
    last_name: null,
    status: 1,
    group: "",
    created_date: "2026-01-01T00:00:00+00:00",
    modified_date: null,
    phone_country_code: "1",
    phone_number: "5550100",
    external_system_id: null,
    address: "",
    city: "",
    state: "",
    zip_code: "",
    country: "",
    is_admin: false,
    mfa_enabled: false,
    mfa_authy_enabled: false,
    search_rights: null,
    ...Object.fromEntries(ALL_RIGHTS.map((field) => [field, false])),
    ...Object.fromEntries(lists.map((field) => [field, []])),
    ...fields,
  } as UserRecord; // every field of the three schemas is named above
}

/** Bytes among the recordings of the archive. */
export async function addMedia(
  store: CallStore,
  name: string,
  content: Uint8Array,
): Promise<Recording> {
  return { filename: name, media: await store.media.put({ name, content }) };
}

/** In the name of the operator `test`. */
export const issueKey = (store: CallStore, userId: number, expiresMs?: number) =>
  createApiKey(store, { userId, operator: "test", expiresMs });

export const createApplication = (store: CallStore, userId: number) =>
  create(store, { userId, operator: "test" });
