// What the headers of a response in bytes say of it, and whether that is so.
import type { Answer } from "../../ask.ts";
import type { RuleOf } from "../../relations/kinds.ts";
import { show } from "../../values/places.ts";

// RFC 9110, section 5.6.7.
const IMF_FIXDATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/;
const STRONG_ETAG = /^"[^"]+"$/;
/** The clocks of two machines differ. */
const TOLERANCE_MS = 60_000;

/** The first bytes of formats, and the media types that fit them. */
const FORMATS: readonly { starts: RegExp; type: RegExp }[] = [
  { starts: /^RIFF....WAVE/s, type: /^audio\/(?:wav|wave|x-wav|vnd\.wave)$/ },
  { starts: /^OggS/, type: /^(?:audio|video|application)\/ogg$/ },
  { starts: /^(?:ID3|\xff[\xe2-\xfb])/, type: /^audio\/mpeg$/ },
  { starts: /^fLaC/, type: /^audio\/(?:x-)?flac$/ },
  { starts: /^\x89PNG/, type: /^image\/png$/ },
  { starts: /^\xff\xd8\xff/, type: /^image\/jpeg$/ },
  { starts: /^%PDF-/, type: /^application\/pdf$/ },
];

/** The stored bytes of a response, with its headers. */
export type Received = Pick<Answer, "status" | "headers" | "size" | "sha256" | "bytes">;

export function findTypeFault({ headers, bytes }: Received): string | undefined {
  const type = headers.get("Content-Type")?.split(";")[0]?.trim() ?? "";
  const start = Buffer.from(bytes?.subarray(0, 16) ?? []).toString("latin1");
  const format = FORMATS.find(({ starts }) => starts.test(start));
  const isRight = format ? format.type.test(type) : /^[\w.+-]+\/[\w.+-]+$/.test(type);
  return isRight ? undefined : `Content-Type is ${type || "missing"}`;
}

/** The format of RFC 9530, section 3. */
export function findDigestFault({ headers, sha256 }: Received, name: string): string | undefined {
  const digest = `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`;
  const found = headers.get(name);
  return found?.includes(digest) === true
    ? undefined
    : `${name} is ${found ?? "missing"}, not ${digest}`;
}

export function findHeaderFault({ ranges, conditional }: RuleOf<"bytes">, headers: Headers) {
  const rules: readonly (readonly [string, RegExp])[] = [
    ...(ranges === true ? [["Accept-Ranges", /^bytes$/] as const] : []),
    ...(conditional === true ? [["ETag", STRONG_ETAG] as const] : []),
    ...(headers.has("Last-Modified") ? [["Last-Modified", IMF_FIXDATE] as const] : []),
  ];
  const wrong = rules.find(([name, rule]) => !rule.test(headers.get(name) ?? ""));
  if (wrong !== undefined) return `${wrong[0]} is ${headers.get(wrong[0]) ?? "missing"}`;
  const modified = headers.get("Last-Modified") ?? "";
  const now = Date.parse(headers.get("Date") ?? "") || Date.now();
  return Date.parse(modified) > now + TOLERANCE_MS
    ? `Last-Modified is ${modified}, which is to come (RFC 9110, 8.8.2.1)`
    : undefined;
}

/** RFC 6266, section 4.3: `filename*` has precedence. */
export function findNameFault({ headers }: Pick<Received, "headers">, filename: unknown) {
  const value = headers.get("Content-Disposition") ?? "";
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(value) ?? [];
  const [, quoted, plain] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(value) ?? [];
  const name =
    encoded === undefined ? (quoted?.replaceAll(/\\(.)/g, "$1") ?? plain) : decode(encoded);
  return name === filename
    ? undefined
    : `Content-Disposition names ${show(name ?? null)}, filename is ${show(filename)}`;
}

export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // a malformed encoding names nothing
  }
}
