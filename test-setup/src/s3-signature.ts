// Checks the signatures and hashes of requests to S3, as a real server does.
import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

export const KEYS = { AWS_ACCESS_KEY_ID: "AKTEST", AWS_SECRET_ACCESS_KEY: "secret of the test" };

/** The token of a session. Keys are also valid without one. */
export const TOKEN = "token of a session";

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

// Signature Version 4, from its description: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
export function checkSignature({ method, headers }: IncomingMessage, url: URL, body: Buffer): void {
  const presigned = readPresigned(headers, url);
  const [, id, scope = "", names = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      presigned?.authorization ?? headers.authorization ?? "",
    ) ?? [];
  if (id !== KEYS.AWS_ACCESS_KEY_ID) throw new Refusal(403, "InvalidAccessKeyId");
  if ((headers["x-amz-security-token"] ?? TOKEN) !== TOKEN) throw new Refusal(403, "InvalidToken");
  const escape = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  const query = [...url.searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map((pair) => pair.map(escape).join("="))
    .toSorted()
    .join("&");
  const signed = names.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const hash = presigned === undefined ? String(headers["x-amz-content-sha256"]) : UNSIGNED;
  const canonical = [method, url.pathname, query, signed.join(""), names, hash].join("\n");
  const date = presigned?.date ?? String(headers["x-amz-date"]);
  const text = ["AWS4-HMAC-SHA256", date, scope, toHash("sha256", canonical)].join("\n");
  const key = scope
    .split("/")
    .reduce<string | Buffer>(
      (known, part) => createHmac("sha256", known).update(part).digest(),
      `AWS4${KEYS.AWS_SECRET_ACCESS_KEY}`,
    );
  if (createHmac("sha256", key).update(text).digest("hex") !== signature)
    throw new Refusal(403, "SignatureDoesNotMatch");
  if (presigned === undefined && toHash("sha256", body) !== hash)
    throw new Refusal(400, "XAmzContentSHA256Mismatch");
  const md5 = headers["content-md5"];
  if (md5 !== undefined && createHash("md5").update(body).digest("base64") !== md5)
    throw new Refusal(400, "BadDigest");
}

const UNSIGNED = "UNSIGNED-PAYLOAD";

// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
function readPresigned(headers: IncomingMessage["headers"], { searchParams: query }: URL) {
  const signature = query.get("X-Amz-Signature");
  if (signature === null) return undefined;
  // As a real one does: credentials twice are refused.
  if (headers.authorization !== undefined) throw new Refusal(400, "InvalidArgument");
  const [date = "", names = ""] = ["X-Amz-Date", "X-Amz-SignedHeaders"].map(
    (name) => query.get(name) ?? "",
  );
  const [, day, time] = /^(\d{8})T(\d{6})Z$/.exec(date) ?? [];
  const iso = `${day?.replace(/(....)(..)/, "$1-$2-")}T${time?.replace(/(..)(..)/, "$1:$2:")}Z`;
  const untilMs = Date.parse(iso) + Number(query.get("X-Amz-Expires")) * 1_000;
  if (!(Date.now() < untilMs)) throw new Refusal(403, "AccessDenied");
  const credential = `Credential=${query.get("X-Amz-Credential")}`;
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { authorization, date };
}

export function toHash(kind: "md5" | "sha256", content: Buffer | string): string {
  return createHash(kind).update(content).digest("hex");
}
