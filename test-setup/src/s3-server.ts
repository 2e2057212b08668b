// A small S3 server for tests: it checks requests as a real one does, keeps versions and locks, and fails when told to.
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { checkSignature, KEYS, Refusal, toHash, TOKEN } from "./s3-signature.ts";

export { KEYS, TOKEN };

export interface Version {
  readonly id: string;
  readonly content: Buffer;
  readonly etag: string;
  readonly isMarker: boolean;
  readonly lockedUntil?: string | undefined;
  readonly isHeld?: boolean;
}

export interface Upload {
  readonly key: string;
  readonly initiated: string;
  readonly parts: Map<number, Buffer>;
}

/** The injected errors of the server. They may be changed at any time. */
export interface Faults {
  /** Actions that are answered 403. */
  denied: Set<string>;
  /** Denies an action after it was allowed `times` times. */
  denyAfter: { action: string; times: number } | undefined;
  /** Sends the object whatever it is now. */
  ignoresIfMatch: boolean;
  /** Replaces what a write must not replace. */
  ignoresIfNoneMatch: boolean;
  /** Changes a byte of what arrives, as a faulty network would. */
  corruptsBodies: boolean;
  /** Calls `act` once, after this number of bytes of bodies has arrived. */
  whenArrived: { bytes: number; act: () => unknown } | undefined;
  /** Ends the connection after `afterBytes` of an object, as often as `times`. */
  breakOff: { afterBytes: number; times: number } | undefined;
  /** Answers so, as often as `times`. */
  answer: { status: number; code: string; times: number } | undefined;
  /** The delay before each response. */
  delayMs: number;
  /** Asked before each action. */
  spoil: ((action: string) => Spoiled | undefined) | undefined;
}

/** Answered 500; done, and the answer ends in its middle; done with another bit of what comes, or else of what is sent. */
export type Spoiled = "fail" | "tear" | "flip";

/** The newest version is the last. */
export type Objects = Map<string, Version[]>;

interface Asked {
  readonly method: string;
  /** Without the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer | string;
  readonly isTorn?: boolean;
}

export type S3Server = Awaited<ReturnType<typeof openS3>>;

/** Listens until the test is over. */
export async function startS3(options?: Parameters<typeof openS3>[0]): Promise<S3Server> {
  const server = await openS3(options);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** Listens on 127.0.0.1. `pageSize`: of each list; `objects`: what it has at the beginning. */
export async function openS3({
  bucket = "recordings",
  pageSize = 2,
  objects = new Map() as Objects,
} = {}) {
  const uploads = new Map<string, Upload>();
  const faults: Faults = {
    denied: new Set(),
    denyAfter: undefined,
    ignoresIfMatch: false,
    ignoresIfNoneMatch: false,
    corruptsBodies: false,
    whenArrived: undefined,
    breakOff: undefined,
    answer: undefined,
    delayMs: 0,
    spoil: undefined,
  };
  const settings = new Map<string, string>();
  const log: string[] = [];
  let open = 0;
  const state = { objects, uploads, settings, pageSize };

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const body = await receive(request, faults);
    const url = new URL(request.url ?? "", `http://${request.headers.host}`);
    const [, named, key = ""] = /^\/([^/]*)\/?(.*)$/.exec(url.pathname) ?? [];
    const { method = "" } = request;
    const asked = { method, key, query: url.searchParams, headers: request.headers, body };
    const action = toAction(asked);
    const spoiled = faults.spoil?.(action);
    if (faults.corruptsBodies || spoiled === "flip") flip(body);
    checkSignature(request, url, body);
    if (faults.ignoresIfMatch) delete request.headers["if-match"];
    if (faults.ignoresIfNoneMatch) delete request.headers["if-none-match"];
    log.push(action);
    if (spoiled === "fail") throw new Refusal(500, "InternalError");
    await setTimeout(faults.delayMs);
    const { denyAfter } = faults;
    const isDenied = denyAfter?.action === action && denyAfter.times-- <= 0;
    if (isDenied || faults.denied.has(action)) throw new Refusal(403, "AccessDenied");
    if (faults.answer !== undefined && faults.answer.times > 0) {
      faults.answer.times -= 1;
      throw new Refusal(faults.answer.status, faults.answer.code);
    }
    if (named !== bucket) throw new Refusal(404, "NoSuchBucket");
    const given = (key === "" ? answerOfBucket : answerOfObject)(state, asked);
    if (spoiled === "flip" && body.length === 0)
      return { ...given, body: flip(Buffer.from(given.body ?? "")) };
    return { ...given, isTorn: spoiled === "tear" };
  };
  const server = createServer((request, response) => {
    open += 1;
    response.on("close", () => (open -= 1));
    answer(request)
      .catch(toAnswerOf)
      .then((given) => send(response, { request, given, faults }))
      .catch(() => response.destroy());
  });
  const listen = async (port: number) => {
    await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const stop = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  };
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    /** For `openStore`, `openBucket` and `--media`. */
    address: `s3://${bucket}/cm?endpoint=${endpoint}&region=eu-test-1`,
    objects,
    uploads,
    faults,
    /** The settings of the bucket, XML by the name of their query: `versioning`, `lifecycle`, `object-lock`. */
    settings,
    /** The actions that were asked for, in their order. */
    log,
    /** How many answers are being sent. */
    countOpen: () => open,
    /** As if the machine were gone, connections too. */
    stop,
    [Symbol.asyncDispose]: async () => (server.listening ? await stop() : undefined),
    start: async () => void (await listen(port)),
    /** Ends every connection, and takes others. */
    cut: () => server.closeAllConnections(),
    /** Puts another content under a key, as another program would. */
    replace: (key: string, content: Buffer, etag = toEtag(content)) =>
      putVersion(state, key, { content, etag }),
    /** Removes a key, as another program would. A bucket with versions keeps a delete marker. */
    remove: (key: string) =>
      putVersion(state, key, { content: Buffer.alloc(0), etag: "", isMarker: true }),
    /** Locks every version of the key. */
    lock: (key: string, lock: Pick<Version, "lockedUntil" | "isHeld">) => {
      for (const version of objects.get(key) ?? []) Object.assign(version, lock);
    },
  };
}

function flip(bytes: Buffer): Buffer {
  if (bytes.length > 0) bytes[0] = (bytes[0] ?? 0) ^ 1;
  return bytes;
}

async function receive(request: IncomingMessage, faults: Faults): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    const { whenArrived } = faults;
    if (whenArrived === undefined || (whenArrived.bytes -= chunk.length) > 0) continue;
    faults.whenArrived = undefined;
    void whenArrived.act();
  }
  return Buffer.concat(chunks);
}

interface State {
  readonly objects: Objects;
  readonly uploads: Map<string, Upload>;
  readonly settings: Map<string, string>;
  readonly pageSize: number;
}

function toAnswerOf(error: unknown): Answer {
  if (!(error instanceof Refusal)) throw error;
  return { status: error.status, body: `<Error><Code>${error.code}</Code></Error>` };
}

const BUCKET_ACTIONS: Readonly<Record<string, string>> = {
  versioning: "s3:GetBucketVersioning",
  versions: "s3:ListBucketVersions",
  uploads: "s3:ListBucketMultipartUploads",
  lifecycle: "s3:GetLifecycleConfiguration",
  "object-lock": "s3:GetBucketObjectLockConfiguration",
};

function toAction({ method, key, query }: Asked): string {
  if (key === "") {
    const kind = Object.keys(BUCKET_ACTIONS).find((name) => query.has(name));
    return BUCKET_ACTIONS[kind ?? ""] ?? "s3:ListBucket";
  }
  if (query.has("retention")) return "s3:GetObjectRetention";
  if (query.has("legal-hold")) return "s3:GetObjectLegalHold";
  if (method === "DELETE" && query.has("uploadId")) return "s3:AbortMultipartUpload";
  if (method === "DELETE")
    return query.has("versionId") ? "s3:DeleteObjectVersion" : "s3:DeleteObject";
  return method === "PUT" || method === "POST" ? "s3:PutObject" : "s3:GetObject";
}

function answerOfBucket(state: State, { query }: Asked): Answer {
  const prefix = query.get("prefix") ?? "";
  const setting = ["versioning", "lifecycle", "object-lock"].find((name) => query.has(name));
  if (setting === "versioning") return { body: state.settings.get(setting) ?? "<Versioning/>" };
  if (setting !== undefined) {
    const body = state.settings.get(setting);
    if (body === undefined) throw new Refusal(404, "NoSuchConfiguration");
    return { body };
  }
  if (query.has("versions")) {
    const all = [...state.objects].flatMap(([key, versions]) =>
      versions.toReversed().map((version) => ({ key, version })),
    );
    const from = query.get("version-id-marker");
    return toPage(state, {
      all: all.filter(({ key }) => key.startsWith(prefix)).toSorted(byKey),
      after: all.findIndex(({ version }) => version.id === from) + 1,
      toXml: ({ key, version: { id, isMarker } }) => {
        const name = isMarker ? "DeleteMarker" : "Version";
        return `<${name}><Key>${key}</Key><VersionId>${id}</VersionId></${name}>`;
      },
      toNext: ({ key, version }) =>
        `<NextKeyMarker>${key}</NextKeyMarker><NextVersionIdMarker>${version.id}</NextVersionIdMarker>`,
    });
  }
  if (query.has("uploads")) {
    const all = [...state.uploads].map(([id, { key, initiated }]) => ({ id, key, initiated }));
    const from = query.get("upload-id-marker");
    return toPage(state, {
      all: all.filter(({ key }) => key.startsWith(prefix)),
      after: all.findIndex(({ id }) => id === from) + 1,
      toXml: ({ id, key, initiated }) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`,
      toNext: ({ id, key }) =>
        `<NextKeyMarker>${key}</NextKeyMarker><NextUploadIdMarker>${id}</NextUploadIdMarker>`,
    });
  }
  const all = [...state.objects.keys()]
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => findObject(state, key)?.map((content) => ({ key, content })) ?? [])
    .toSorted(byKey);
  const from = query.get("continuation-token");
  return toPage(state, {
    all,
    after: all.findIndex(({ key }) => key === from) + 1,
    toXml: ({ key, content }) =>
      `<Contents><Key>${key}</Key><Size>${content.content.length}</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`,
    toNext: ({ key }) => `<NextContinuationToken>${key}</NextContinuationToken>`,
  });
}

const byKey = (one: { readonly key: string }, other: { readonly key: string }) =>
  one.key < other.key ? -1 : 1;

interface List<T> {
  readonly all: readonly T[];
  readonly after: number;
  readonly toXml: (one: T) => string;
  readonly toNext: (last: T) => string;
}

function toPage<T>({ pageSize }: State, { all, after, toXml, toNext }: List<T>): Answer {
  const page = all.slice(after, after + pageSize);
  const last = page.at(-1);
  const hasMore = after + page.length < all.length;
  const next = hasMore && last !== undefined ? toNext(last) : "";
  return {
    body: `<?xml version="1.0"?><List xmlns="x"><IsTruncated>${hasMore}</IsTruncated>${next}${page.map(toXml).join("")}</List>`,
  };
}

function answerOfObject(state: State, asked: Asked): Answer {
  const { method, key, query } = asked;
  if (query.has("retention") || query.has("legal-hold")) return answerLock(state, asked);
  if (query.has("uploads") || query.has("uploadId")) return answerUpload(state, asked);
  if (method === "PUT") {
    if (asked.headers["if-none-match"] === "*" && findObject(state, key) !== undefined)
      throw new Refusal(412, "PreconditionFailed");
    const { id, etag } = putVersion(state, key, { content: asked.body, etag: toEtag(asked.body) });
    return { headers: { etag, ...toIdHeader(state, id) } };
  }
  if (method === "DELETE") return answerDelete(state, asked);
  const [found] = findObject(state, key) ?? [];
  if (found === undefined) throw new Refusal(404, "NoSuchKey");
  const expected = asked.headers["if-match"];
  if (expected !== undefined && expected !== found.etag)
    throw new Refusal(412, "PreconditionFailed");
  return toObjectAnswer(state, asked, found);
}

function toObjectAnswer(state: State, asked: Asked, { content, etag, id }: Version): Answer {
  const { headers, query } = asked;
  const own: Record<string, string> = { etag, ...toIdHeader(state, id) };
  for (const name of ["content-type", "content-disposition"])
    if (query.has(`response-${name}`)) own[name] = query.get(`response-${name}`) ?? "";
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  if (first === undefined) return { headers: own, body: content };
  const part = content.subarray(Number(first), Number(last) + 1);
  if (part.length === 0) throw new Refusal(416, "InvalidRange");
  const range = `bytes ${first}-${Number(first) + part.length - 1}/${content.length}`;
  return { status: 206, headers: { ...own, "content-range": range }, body: part };
}

function findObject({ objects }: State, key: string): [Version] | undefined {
  const newest = objects.get(key)?.at(-1);
  return newest === undefined || newest.isMarker ? undefined : [newest];
}

const isVersioned = ({ settings }: State) =>
  settings.get("versioning")?.includes("Enabled") ?? false;

const toIdHeader = (state: State, id: string): Record<string, string> =>
  isVersioned(state) ? { "x-amz-version-id": id } : {};

function putVersion(
  state: State,
  key: string,
  { isMarker = false, ...given }: Pick<Version, "content" | "etag"> & { isMarker?: boolean },
): Version {
  const version = { ...given, isMarker, id: isVersioned(state) ? randomUUID() : "null" };
  const before = isVersioned(state) ? (state.objects.get(key) ?? []) : [];
  state.objects.set(key, [...before, version]);
  return version;
}

function answerDelete(state: State, { key, query }: Asked): Answer {
  const id = query.get("versionId");
  const versions = state.objects.get(key) ?? [];
  if (id === null && isVersioned(state))
    putVersion(state, key, { content: Buffer.alloc(0), etag: "", isMarker: true });
  else if (id === null) state.objects.delete(key);
  else {
    const named = versions.find((version) => version.id === id);
    if (named === undefined && id !== "null") throw new Refusal(400, "InvalidArgument");
    if (named?.isHeld || (named?.lockedUntil ?? "") > new Date().toISOString())
      throw new Refusal(403, "AccessDenied");
    const left = versions.filter((version) => version.id !== id);
    if (left.length > 0) state.objects.set(key, left);
    else state.objects.delete(key);
  }
  return { status: 204 };
}

function answerLock({ objects }: State, { key, query }: Asked): Answer {
  const version = objects.get(key)?.find(({ id }) => id === query.get("versionId"));
  if (query.has("retention") && version?.lockedUntil !== undefined)
    return {
      body: `<Retention><RetainUntilDate>${version.lockedUntil}</RetainUntilDate></Retention>`,
    };
  if (query.has("legal-hold") && version?.isHeld)
    return { body: "<LegalHold><Status>ON</Status></LegalHold>" };
  throw new Refusal(404, "NoSuchObjectLockConfiguration");
}

function answerUpload(state: State, { method, key, query, body }: Asked): Answer {
  const id = query.get("uploadId");
  if (id === null) {
    const created = randomUUID();
    const initiated = new Date(0).toISOString();
    state.uploads.set(created, { key, initiated, parts: new Map() });
    return { body: `<Result><UploadId>${created}</UploadId></Result>` };
  }
  const upload = state.uploads.get(id);
  if (upload === undefined) throw new Refusal(404, "NoSuchUpload");
  if (method === "PUT") {
    upload.parts.set(Number(query.get("partNumber")), body);
    return { headers: { etag: toEtag(body) } };
  }
  state.uploads.delete(id);
  if (method === "DELETE") return { status: 204 };
  const parts = [
    ...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag>/g),
  ];
  const contents = parts.map(([, number, etag]) => {
    const part = upload.parts.get(Number(number));
    if (part === undefined || toEtag(part) !== etag) throw new Refusal(400, "InvalidPart");
    return part;
  });
  const digests = contents.map((part) => createHash("md5").update(part).digest());
  const etag = `"${toHash("md5", Buffer.concat(digests))}-${contents.length}"`;
  putVersion(state, key, { content: Buffer.concat(contents), etag });
  return { body: "<Result/>" };
}

interface Sending {
  readonly request: IncomingMessage;
  readonly given: Answer;
  readonly faults: Faults;
}

async function send(response: ServerResponse, { request, given, faults }: Sending): Promise<void> {
  const body = Buffer.from(given.body ?? "");
  const headers = { ...given.headers, "content-length": String(body.length) };
  response.writeHead(given.status ?? 200, given.status === 204 ? {} : headers);
  if (given.isTorn) return await tear(response, body.subarray(0, body.length / 2));
  if (request.method === "HEAD") return void response.end();
  const { breakOff } = faults;
  const isCut = breakOff !== undefined && breakOff.times > 0 && body.length > breakOff.afterBytes;
  if (!isCut) return void response.end(body);
  breakOff.times -= 1;
  await tear(response, body.subarray(0, breakOff.afterBytes));
}

async function tear(response: ServerResponse, sent: Buffer): Promise<void> {
  await new Promise((resolve) => response.write(sent, resolve));
  response.destroy();
}

function toEtag(content: Buffer): string {
  return `"${toHash("md5", content)}"`;
}
