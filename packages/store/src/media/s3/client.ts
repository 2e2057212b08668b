// Signed requests to a bucket (AWS Signature Version 4). Transient failures are retried; lasting ones throw `StoreFault`.
import { createHash } from "node:crypto";
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { StoreFault } from "../../port/faults.ts";
import type { Bucket } from "./address.ts";
import type { FindKeys } from "./credentials.ts";
import { readText } from "./xml.ts";

export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** The permission that the request needs, such as `s3:GetObject`. Errors name it if it is denied. */
  readonly action: string;
  /** Without the prefix; absent for the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Default 3. */
  readonly attempts?: number;
  /** The maximum time without traffic; default 10 s, and 60 s for writes. */
  readonly idleMs?: number;
}

/** A response whose body was read. */
export interface S3Answer {
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface S3Client {
  readonly bucket: Bucket;
  /** Throws `StoreFault`; its cause is an `S3Refusal` if S3 responded. */
  send(request: S3Request): Promise<S3Answer>;
  /** The same, but the body is still to be read. */
  open(request: S3Request): Promise<IncomingMessage>;
  /** A URL with which anyone can GET the object for this time. Throws `StoreFault`. */
  presign(request: Required<Pick<S3Request, "key" | "query">>, seconds: number): Promise<string>;
}

/** A response other than 2xx. */
export class S3Refusal extends Error {
  override readonly name = "S3Refusal";
  readonly status: number;
  /** The error code from the body, such as `NoSuchKey`; empty for a HEAD. */
  readonly code: string;

  constructor(status: number, code: string) {
    super(`${status} ${code}`.trim());
    this.status = status;
    this.code = code;
  }
}

/** The `S3Refusal` that caused this error, if there is one. */
export function toRefusal(error: unknown): S3Refusal | undefined {
  return error instanceof StoreFault && error.cause instanceof S3Refusal ? error.cause : undefined;
}

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 100;
const READ_IDLE_MS = 10_000;
const WRITE_IDLE_MS = 60_000;

export function createClient(bucket: Bucket, findKeys: FindKeys): S3Client {
  const sign = createSigner(bucket, findKeys);
  const send = createSender(bucket, sign);
  const open = async (request: S3Request): Promise<IncomingMessage> => {
    const { attempts = ATTEMPTS } = request;
    for (let attempt = 1; ; attempt += 1)
      try {
        return await accept(await send(request));
      } catch (error) {
        if (attempt >= attempts || !isPassing(error)) throw toFault(error, request, bucket);
        await setTimeout(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2));
      }
  };
  return {
    bucket,
    open,
    send: async (request) => {
      const answer = await open(request);
      const body = await text(answer).catch((error: unknown) => {
        throw toFault(error, request, bucket);
      });
      return { headers: answer.headers, body };
    },
    presign: async ({ key, query }, seconds) => {
      const lasting = { ...query, "X-Amz-Expires": String(seconds) };
      const url = toUrl(bucket, { key, query: lasting });
      const signed = await sign({ method: "GET", url, signQuery: true });
      // Some servers read + in a query as a literal +.
      return signed.url.href.replaceAll("+", "%20");
    },
  };
}

type Sign = ReturnType<typeof createSigner>;

function createSigner({ region }: Bucket, findKeys: FindKeys) {
  const cache = new Map<string, ArrayBuffer>();
  return async (request: SignedRequest) =>
    await new AwsV4Signer({
      ...(await findKeys()),
      ...request,
      service: "s3",
      region,
      cache,
    }).sign();
}

interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly signQuery?: true;
}

// Connections are kept alive: opening one over TLS takes longer than the request.
function createSender(bucket: Bucket, sign: Sign) {
  const isSecure = bucket.url.protocol === "https:";
  const request = isSecure ? requestHttps : requestHttp;
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  return async (asked: S3Request): Promise<IncomingMessage> => {
    const { method, body, idleMs = toIdleMs(method) } = asked;
    const signed = await sign({
      method,
      url: toUrl(bucket, asked),
      headers: { ...asked.headers, ...describeBody(asked) },
    });
    const headers = Object.fromEntries(signed.headers);
    return await new Promise((resolve, reject) => {
      const sent = request(signed.url, { method, headers, agent, timeout: idleMs });
      sent.on("timeout", () => sent.destroy(new SilenceError(idleMs)));
      sent.on("error", reject);
      sent.on("response", (answer) => {
        // The connection may fail while nothing reads; a reader gets the error itself.
        answer.on("error", () => {});
        resolve(answer);
      });
      sent.end(body);
    });
  };
}

const toIdleMs = (method: S3Request["method"]) =>
  method === "GET" || method === "HEAD" ? READ_IDLE_MS : WRITE_IDLE_MS;

export function toUrl(
  { url, prefix }: Bucket,
  { key, query }: Pick<S3Request, "key" | "query">,
): string {
  const asked = new URL(key === undefined ? url : url.href + prefix + key);
  for (const [name, value] of Object.entries(query ?? {})) asked.searchParams.set(name, value);
  return asked.href;
}

// The body's hash is part of the signature, so every server checks it. Some servers ignore other checksum headers.
function describeBody({ body = new Uint8Array(), headers }: S3Request): Record<string, string> {
  const sha256 = headers?.["x-amz-content-sha256"];
  return {
    "x-amz-content-sha256": sha256 ?? createHash("sha256").update(body).digest("hex"),
    ...(body.length > 0 && { "content-length": String(body.length) }),
  };
}

async function accept(answer: IncomingMessage): Promise<IncomingMessage> {
  const { statusCode = 0 } = answer;
  if (statusCode >= 200 && statusCode < 300) return answer;
  throw new S3Refusal(statusCode, readText(await text(answer), "Code") ?? "");
}

class SilenceError extends Error {
  constructor(ms: number) {
    super(`no answer for ${ms / 1_000} seconds`);
  }
}

const PASSING_STATUS: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

// A silent server will probably stay silent, and a caller is waiting for the response.
function isPassing(error: unknown): boolean {
  if (error instanceof S3Refusal) return PASSING_STATUS.has(error.status);
  return !(error instanceof SilenceError) && error instanceof Error && "code" in error;
}

const EXPLAINED: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: "the access key is unknown there",
  SignatureDoesNotMatch: "the secret key is not that of the access key",
  ExpiredToken: "the session token has expired",
  InvalidObjectState: "it is in a storage class that has to be restored first",
  NoSuchBucket: "there is no such bucket",
  PermanentRedirect: "the bucket is in another region: say which in the address (?region=)",
  AuthorizationHeaderMalformed:
    "the bucket is in another region: say which in the address (?region=)",
  RequestTimeTooSkewed: "the clock of this machine is wrong",
};

function toFault(cause: unknown, { action }: S3Request, { name }: Bucket): unknown {
  if (!(cause instanceof Error) || cause instanceof StoreFault) return cause;
  if (!(cause instanceof S3Refusal)) {
    // For a host name with several addresses, Node.js puts the reason only into the code.
    const why = cause.message || ("code" in cause ? String(cause.code) : cause.name);
    return new StoreFault("unavailable", `${name} cannot be reached: ${why}`, { cause });
  }
  const { status, code } = cause;
  const explained = EXPLAINED[code] ?? (status === 403 ? `grant ${action}` : undefined);
  const why = explained === undefined ? "" : `: ${explained}`;
  const reason = isMissing(cause) ? "lost" : "unavailable";
  return new StoreFault(reason, `${name} refuses ${action} (${cause.message})${why}`, { cause });
}

/** True if the bucket exists but does not contain the requested object. */
export function isMissing({ status, code }: S3Refusal): boolean {
  return status === 404 && code !== "NoSuchBucket";
}
