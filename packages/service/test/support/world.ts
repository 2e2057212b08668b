// A service over an archive in memory, with one call that has a recording, and requests to it as a transport makes them.
import { createApiKey } from "@call-media/service/credentials";
import type { CallStore, LogRow } from "@call-media/store";
import { createMemoryStore } from "@call-media/store/memory";
import {
  type Answer,
  createService,
  isStreamed,
  type Service,
  type ServiceOptions,
  type ServiceRequest,
} from "../../src/index.ts";
import { addItems, addMedia, ALLOWED_ALL, toCall, toUser } from "./records.ts";

export const SOUND = Buffer.from("RIFF and the rest of a sound");

export interface World {
  readonly store: CallStore;
  readonly service: Service;
  /** An API key of a user who may see and download everything. */
  readonly key: string;
}

export async function createWorld(options: Partial<ServiceOptions> = {}): Promise<World> {
  const store = createMemoryStore(options);
  const sound = await addMedia(store, "a.wav", SOUND);
  await addItems(store, [
    { kind: "user", record: toUser({ ...ALLOWED_ALL, id: 1, username: "anna" }) },
    toCall({ call_id: "c1", ref_id: "r1" }, [sound]),
  ]);
  const { apiKey: key } = await createApiKey(store, { userId: 1, operator: "test" });
  return { store, service: createService({ ...options, store }), key };
}

/** A GET, with these parts in place of its own. */
export function toRequest(path: string, parts: Partial<ServiceRequest> = {}): ServiceRequest {
  return {
    method: "GET",
    path,
    query: "",
    headers: {},
    requestId: "request-1",
    address: "192.0.2.1",
    origin: "192.0.2.1",
    readBody: async () => new Uint8Array(),
    admit: () => {},
    isGone: () => false,
    ...parts,
  };
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** The body of the answer, all of it. */
export async function readAll({ body }: Answer): Promise<Buffer> {
  if (body === undefined) return Buffer.alloc(0);
  if (!isStreamed(body)) return Buffer.from(body);
  const pieces: Buffer[] = [];
  for await (const piece of body.pieces) pieces.push(Buffer.from(piece));
  await body.close({ bytes: body.bytes, isWhole: true });
  return Buffer.concat(pieces);
}

export async function readJson(answer: Answer): Promise<unknown> {
  return JSON.parse((await readAll(answer)).toString());
}

export async function readLog(store: CallStore): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  for await (const row of store.accessLog.read({})) rows.push(row);
  return rows.filter(({ operation }) => operation !== "key create");
}
