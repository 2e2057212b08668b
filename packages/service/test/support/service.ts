// The service without a transport, over an archive in memory: asked as over HTTP, answered at once and in this process.
import { type ArchiveItem, type MetadataRecord, type UserRecord } from "@call-media/store";
import { createMemoryStore } from "@call-media/store/memory";
import { type Answer, createService, type Facts, type ServiceOptions } from "../../src/index.ts";
import { type Face, type FacedService, toLines } from "./face.ts";
import { addItems, issueKey, toUser } from "./records.ts";
import { bearer, readAll, toRequest } from "./world.ts";

export { addMedia, ALLOWED_ALL, createApplication, issueKey, toCall } from "./records.ts";

/** A request; a GET without a body unless it says otherwise. */
export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes as they are, anything else as JSON. */
  readonly body?: unknown;
  /** The address that it comes from; null: not known of whom. */
  readonly from?: string | null;
}

export interface TestService extends FacedService {
  /** A user with these rights over none, and an API key of that user. */
  readonly addUser: (fields: Partial<UserRecord>) => Promise<{ user: UserRecord; key: string }>;
  /** The answer as the service gives it; its body has been read. `target` is neither decoded nor resolved. */
  readonly ask: (target: string, asked?: Asked) => Promise<Answer & { readonly bytes: Buffer }>;
  /** The same as `fetch` gives it. */
  readonly send: (target: string, asked?: Asked) => Promise<Response>;
  readonly get: (path: string, key: string, headers?: Record<string, string>) => Promise<Response>;
  readonly post: (
    path: string,
    key: string,
    body: unknown,
    headers?: Record<string, string>,
  ) => Promise<Response>;
}

export interface TestOptions extends Partial<Omit<ServiceOptions, "store">> {
  readonly timeZone?: string;
}

export async function startTestService(options: TestOptions = {}): Promise<TestService> {
  const store = createMemoryStore(options);
  const service = createService({ ...options, store });
  const failures: unknown[] = [];
  const note = ({ failure }: Facts) => void (failure === undefined || failures.push(failure));
  let lastId = 0;
  const add = (...items: readonly ArchiveItem[]) => addItems(store, items);

  const ask: TestService["ask"] = async (target, asked = {}) => {
    const answer = await service.answer(toServiceRequest(target, asked));
    note(answer.facts);
    return { ...answer, bytes: await readAll(answer) };
  };
  const send: TestService["send"] = async (target, asked) => {
    const { status, headers, body, bytes } = await ask(target, asked);
    const named = Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return new Response(body === undefined ? null : new Uint8Array(bytes), {
      status,
      headers: named,
    });
  };
  const face: TestService["face"] = async (key, { path, headers, ...asked }) => {
    const type = asked.body === undefined ? {} : JSON_TYPE;
    const from = key === "" ? {} : bearer(key);
    const answer = await ask(path, { ...asked, headers: { ...from, ...type, ...headers } });
    const { status, bytes: body } = answer;
    return { status, headers: toLines(Object.entries(answer.headers)), body } satisfies Face;
  };
  return {
    store,
    failures,
    add,
    addUser: async (fields) => {
      lastId += 1;
      const user = toUser({ id: lastId, username: `user${lastId}`, ...fields });
      await add({ kind: "user", record: user });
      return { user, key: (await issueKey(store, user.id)).apiKey };
    },
    ask,
    send,
    face,
    get: (path, key, headers = {}) => send(path, { headers: { ...bearer(key), ...headers } }),
    post: (path, key, body, headers = {}) =>
      send(path, { method: "POST", body, headers: { ...bearer(key), ...JSON_TYPE, ...headers } }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

const JSON_TYPE = { "Content-Type": "application/json" };

/** What a transport hands to the service. */
export function toServiceRequest(
  target: string,
  { method = "GET", headers = {}, body = "", from = "192.0.2.1" }: Asked,
) {
  const [path = "", ...query] = target.split("?");
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const bytes = toBytes(body);
  return toRequest(path, {
    method,
    query: query.join("?"),
    headers: Object.fromEntries(named),
    requestId: crypto.randomUUID(),
    address: from ?? "192.0.2.1",
    origin: from ?? undefined,
    readBody: async (maxBytes) => (bytes.length > maxBytes ? undefined : bytes),
  });
}

const toBytes = (body: unknown): Uint8Array =>
  body instanceof Uint8Array
    ? body
    : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));

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
