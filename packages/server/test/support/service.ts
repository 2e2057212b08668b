// A real service for a test: an archive in a temporary folder, filled with a few records, on a free port of 127.0.0.1.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fieldsOf } from "@call-media/api";
import type {
  ArchiveItem,
  CallStore,
  MetadataRecord,
  Recording,
  UserRecord,
} from "@call-media/store";
import { createStore } from "@call-media/store/sqlite";
import {
  type Account,
  createApiKey,
  createApplication,
  createListener,
  listen,
  type ListenOptions,
  loadPages,
  type ListenerOptions,
} from "../../src/index.ts";

export interface TestService extends AsyncDisposable {
  readonly store: CallStore;
  readonly directory: string;
  readonly baseUrl: string;
  /** What the service reported to its operator. */
  readonly failures: unknown[];
  /** What became of every request that has ended. */
  readonly accounts: Account[];
  readonly add: (...items: readonly ArchiveItem[]) => Promise<void>;
  /** A user with these rights over none, and an API key of that user. */
  readonly addUser: (fields: Partial<UserRecord>) => Promise<{ user: UserRecord; key: string }>;
  readonly get: (path: string, key: string, headers?: Record<string, string>) => Promise<Response>;
  readonly post: (
    path: string,
    key: string,
    body: unknown,
    headers?: Record<string, string>,
  ) => Promise<Response>;
}

export interface TestOptions extends Omit<ListenerOptions, "store" | "pages" | "onEnd"> {
  readonly timeZone?: string;
  readonly listen?: Partial<ListenOptions>;
}

export async function startTestService(options: TestOptions = {}): Promise<TestService> {
  const directory = await mkdtemp(join(tmpdir(), "call-media-test-"));
  const store = await createStore({ directory, ...options });
  const failures: unknown[] = [];
  const accounts: Account[] = [];
  const onEnd = (account: Account) => {
    accounts.push(account);
    if (account.failure !== undefined) failures.push(account.failure);
  };
  const listener = createListener({ ...options, store, pages: await loadPages(), onEnd });
  const { baseUrl, close } = await listen(listener, {
    host: "127.0.0.1",
    port: 0,
    ...options.listen,
  });
  const add = createAdd(store);
  let lastId = 0;

  return {
    store,
    directory,
    baseUrl,
    failures,
    accounts,
    add,
    addUser: async (fields) => {
      lastId += 1;
      const user = toUser({ id: lastId, username: `user${lastId}`, ...fields });
      await add({ kind: "user", record: user });
      return { user, key: (await createApiKey(store, user.id)).apiKey };
    },
    get: (path, key, headers = {}) =>
      fetch(`${baseUrl}${path}`, { headers: { Authorization: `Bearer ${key}`, ...headers } }),
    post: (path, key, body, headers = {}) =>
      fetch(`${baseUrl}${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
        body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
    [Symbol.asyncDispose]: async () => {
      await close();
      await store[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

export { createApplication };

function createAdd(store: CallStore) {
  return async (...items: readonly ArchiveItem[]) => {
    await using session = await store.openImport();
    const outcomes = await session.write(items.map((item) => [item]));
    const refused = outcomes.find((outcome) => typeof outcome === "object");
    if (refused !== undefined) throw new Error(refused.rejected);
  };
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

/** A body in the envelope; `Data` is what the operation at hand gives. */
export interface Envelope<Data> {
  readonly isError: boolean;
  readonly errorMessage: string | null;
  readonly pageID?: number;
  readonly recordCount?: number;
  readonly data: Data;
}

export async function bodyOf<Data = Partial<MetadataRecord>[]>(
  response: Response,
): Promise<Envelope<Data>> {
  return (await response.json()) as Envelope<Data>; // the tests are what checks it
}

/** Bytes in a file of the archive. */
export async function addMedia(
  store: CallStore,
  name: string,
  content: Uint8Array,
): Promise<Recording> {
  return { filename: name, media: await store.media.put({ name, content }) };
}
