// A recording as it is answered: which one is meant, in base64, or as bytes, whole or in part (D16, D17, D22).
import { toHex } from "../recordings/bytes.ts";
import type { Behaviour } from "./behaviour.ts";
import { refuse, toCommonHeaders } from "./refusal.ts";
import { accepts } from "./requests.ts";
import { checkDownload } from "./rights.ts";
import type { Call, FakeRecording, User } from "./seed.ts";

const LAST_MODIFIED = new Date("2026-01-01T00:00:00Z").toUTCString();

/** What a recording is asked for by. */
export interface Wanted {
  readonly calls: readonly Call[];
  /** `call_id` or `ref_id`. */
  readonly by: string;
  /** From 1. */
  readonly part: number;
  readonly user: User;
}

/** @throws Refusal of 403 or 404. */
export function findRecording({ calls, by, part, user }: Wanted): FakeRecording {
  checkDownload(user);
  // Records come newest first; the first recording is that which began first.
  const oldestFirst = calls.toSorted((a, b) => (a.instantMs ?? 0) - (b.instantMs ?? 0));
  const recording = oldestFirst.flatMap(({ recordings }) => recordings)[part - 1];
  if (recording === undefined) throw refuse(404, `There is no recording for this ${by}`);
  checkDownload(user, recording.filename);
  return recording;
}

export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** @throws Refusal of 406 or 416. */
export async function toStreamAnswer(
  { bytes, filename }: FakeRecording,
  { method, headers }: Request,
  { streamRanges, streamDigest }: Behaviour,
): Promise<Response> {
  const type = findType(bytes);
  if (!accepts(headers.get("Accept"), [type, "application/octet-stream"]))
    throw refuse(406, "The Accept header allows none of the forms this answer has");
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const etag = `"${toHex(digest)}"`;
  const validators = { ...toCommonHeaders(), ETag: etag, "Last-Modified": LAST_MODIFIED };
  const known = headers.get("If-None-Match")?.split(",") ?? [];
  if (known.some((tag) => [etag, "*"].includes(tag.trim().replace(/^W\//, ""))))
    return new Response(null, { status: 304, headers: validators });
  const range =
    streamRanges && method === "GET" ? findRange(headers, etag, bytes.length) : undefined;
  const sent = range === undefined ? bytes : bytes.subarray(range.first, range.last + 1);
  return new Response(method === "HEAD" ? null : sent, {
    status: range === undefined ? 200 : 206,
    headers: {
      ...validators,
      "Content-Type": accepts(headers.get("Accept"), [type]) ? type : "application/octet-stream",
      "Content-Length": String(sent.length),
      "Content-Disposition": toDisposition(filename),
      ...(streamRanges && { "Accept-Ranges": "bytes" }),
      ...(streamDigest && { "Repr-Digest": `sha-256=:${toBase64(digest)}:` }),
      ...(range && { "Content-Range": `bytes ${range.first}-${range.last}/${bytes.length}` }),
    },
  });
}

interface Range {
  readonly first: number;
  readonly last: number;
}

/** Undefined for the whole: no Range, one of another unit or of several parts, or another content (RFC 9110, 14.2). */
function findRange(headers: Headers, etag: string, length: number): Range | undefined {
  const text = headers.get("Range")?.replaceAll(" ", "");
  const condition = headers.get("If-Range");
  if (condition !== null && ![etag, LAST_MODIFIED].includes(condition.trim())) return undefined;
  if (text === undefined || !/^bytes=[^,]*$/i.test(text)) return undefined;
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/i.exec(text) ?? [];
  if (from + to === "" || (from !== "" && to !== "" && Number(to) < Number(from)))
    throw refuseRange("Range must be written bytes=first-last", length);
  const first = from === "" ? Math.max(0, length - Number(to)) : Number(from);
  const last = from === "" || to === "" ? length - 1 : Math.min(Number(to), length - 1);
  if (first <= last) return { first, last };
  throw refuseRange(
    `Range starts past the end of the recording, which has ${length} bytes`,
    length,
  );
}

function refuseRange(fault: string, length: number) {
  return refuse(416, fault, { "Content-Range": `bytes */${length}` });
}

/** RFC 6266: `filename*` where the name has more than ASCII. */
function toDisposition(filename: string): string {
  const plain = filename.replaceAll(/[^\x20-\x7e]/g, "?").replaceAll(/["\\]/g, "\\$&");
  const encode = (text: string) =>
    encodeURIComponent(text).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  const isPlain = /^[\x20-\x7e]*$/.test(filename);
  return `attachment; filename="${plain}"${isPlain ? "" : `; filename*=UTF-8''${encode(filename)}`}`;
}

/** What the first bytes show. */
function findType(bytes: Uint8Array): string {
  const text = String.fromCharCode(...bytes.subarray(0, 12));
  if (/^RIFF[^]{4}WAVE/.test(text)) return "audio/wav";
  if (text.startsWith("OggS")) return "audio/ogg";
  return /^(?:ID3|\xff[\xe2-\xff])/.test(text) ? "audio/mpeg" : "application/octet-stream";
}
