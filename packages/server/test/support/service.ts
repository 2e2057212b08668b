// A real service for a test: an archive filled with a few records, on a free port of 127.0.0.1.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ArchiveItem, CallStore, UserRecord } from "@call-media/store";
import { createMemoryStore } from "@call-media/store/memory";
import { createStore } from "@call-media/store/sqlite";
import type { FacedService } from "../../../service/test/support/face.ts";
import { addItems, toUser } from "../../../service/test/support/records.ts";
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
import { ask } from "./wire.ts";

export { addMedia, ALLOWED_ALL, toCall, toUser } from "../../../service/test/support/records.ts";
export { bodyOf } from "../../../service/test/support/service.ts";
export { createApplication };

export interface Served extends FacedService {
  readonly baseUrl: string;
  readonly failures: unknown[];
  /** What became of every request that has ended. */
  readonly accounts: Account[];
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

/** One whose archive lies in a folder, where programs find it. */
export interface TestService extends Served {
  readonly directory: string;
}

/** Over an archive in a folder for temporary files. */
export async function startTestService(options: TestOptions = {}): Promise<TestService> {
  const directory = await mkdtemp(join(tmpdir(), "call-media-test-"));
  const service = await serve(await createStore({ directory, ...options }), options);
  return {
    ...service,
    directory,
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

/** Over an archive in memory, for what is true of the way to the service. */
export const startInMemory = (options: TestOptions = {}): Promise<Served> =>
  serve(createMemoryStore(options), options);

// Reading and hashing them takes longer than most tests.
let pages: ReturnType<typeof loadPages> | undefined;

async function serve(store: CallStore, options: TestOptions): Promise<Served> {
  const failures: unknown[] = [];
  const accounts: Account[] = [];
  const onEnd = (account: Account) => {
    accounts.push(account);
    if (account.failure !== undefined) failures.push(account.failure);
  };
  pages ??= loadPages();
  const listener = createListener({ ...options, store, pages: await pages, onEnd });
  const to = { host: "127.0.0.1", port: 0, ...options.listen };
  const { baseUrl, close } = await listen(listener, to);
  const add = (...items: readonly ArchiveItem[]) => addItems(store, items);
  let lastId = 0;
  return {
    store,
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
    face: (key, sent) => ask(baseUrl, key, sent),
    [Symbol.asyncDispose]: async () => {
      await close();
      await store[Symbol.asyncDispose]();
    },
  };
}
