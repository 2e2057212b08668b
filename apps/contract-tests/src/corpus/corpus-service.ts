// An empty archive for the corpus, with a service over it and a client that may see everything.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fieldsOf } from "@call-media/api";
import { type CallMediaClient, createClient } from "@call-media/client";
import { createApplication } from "@call-media/server";
import type { CallStore } from "@call-media/store";
import { importFiles } from "@call-media/import";
import { createStore } from "@call-media/store/sqlite";
import { startService } from "../demo-service.ts";
import { writeJsonl } from "./source.ts";

export interface CorpusService extends AsyncDisposable {
  readonly store: CallStore;
  readonly client: CallMediaClient;
  /** A folder for files derived from the corpus. */
  readonly scratch: string;
}

// Not an administrator, so that rights on records are checked for every response.
const RIGHTS = fieldsOf("UserSecurityRecord").filter((field) => field.startsWith("allow_"));

export async function createCorpusService(): Promise<CorpusService> {
  await using stack = new AsyncDisposableStack();
  const scratch = await mkdtemp(join(tmpdir(), "call-media-corpus-"));
  stack.defer(() => rm(scratch, { recursive: true }));
  const store = stack.use(await createStore({ directory: join(scratch, "archive") }));
  const user = {
    kind: "user",
    id: 1,
    username: "listener",
    status: 1,
    created_date: "2026-01-01T00:00:00Z",
    ...Object.fromEntries(RIGHTS.map((right) => [right, true])),
  };
  await importFiles({ store, format: "jsonl", paths: [await writeJsonl(scratch, "user", [user])] });
  const { baseUrl } = stack.use(await startService(store));
  const client = createClient({ baseUrl, credentials: await createApplication(store, user.id) });
  const owned = stack.move();
  return { store, client, scratch, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
