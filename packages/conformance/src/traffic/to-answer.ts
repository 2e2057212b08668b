// A recorded exchange as the laws read it: the request as an `Ask`, and its response.
import { createHash } from "node:crypto";
import type { Answer, Ask, Caller } from "../ask.ts";
import type { ApiDocument } from "../document/document.ts";
import { type Recorded, SEARCHED_CHARACTERS, type SentRequest } from "../http/exchanges.ts";
import type { RawAnswer } from "../http/transport.ts";
import type { Opened } from "../open-run.ts";
import { toRequestBody, toResponseBody } from "./body.ts";
import { toSpelling } from "./callers.ts";
import { listHeaders, type TrafficEntry } from "./entry.ts";
import { type Matched, toQuery, toValue } from "./route.ts";

export interface Exchanged {
  readonly entry: TrafficEntry;
  readonly matched: Matched;
  readonly url: URL;
  readonly caller: Caller | null;
  readonly recorded: Recorded;
}

/** With all secrets in it: they are replaced in the report. */
export function toRecordedAnswer(
  document: ApiDocument,
  toAnswer: Opened["toAnswer"],
  exchanged: Exchanged,
): Answer {
  const { entry, recorded } = exchanged;
  const { raw, isWhole } = toRaw(entry);
  const answer = toAnswer(toAsk(document, exchanged), raw, toSent(exchanged));
  const { startedDateTime, time = 0 } = entry;
  const body = answer.text === "" ? answer.came.body : answer.text.slice(0, SEARCHED_CHARACTERS);
  return {
    ...answer,
    receivedMs: Date.parse(startedDateTime ?? "") + time,
    // Laws read an incomplete body as none.
    ...(!isWhole && { json: undefined }),
    came: { ...answer.came, body },
    recorded,
    lacks: { body: !isWhole, headers: listHeaders(entry.response.headers).length === 0 },
  };
}

/** Without credentials, which the caller has. */
function toAsk(document: ApiDocument, { entry, matched, url, caller }: Exchanged): Ask {
  const { operation, path } = matched;
  const keys = new Set(Object.keys(caller?.query ?? {}));
  const searchParams = new URLSearchParams(
    [...url.searchParams].filter(([name]) => !keys.has(name)),
  );
  const method = entry.request.method.toUpperCase();
  const { text, json } = toRequestBody(entry);
  const documented = new Map(
    operation.parameters
      .filter((one) => one.in === "header")
      .map(({ name }) => [name.toLowerCase(), name] as const),
  );
  const headers = listHeaders(entry.request.headers).flatMap(([name, value]) => {
    const known = documented.get(name.toLowerCase());
    return known === undefined ? [] : [[known, value] as const];
  });
  const values = Object.entries(path).map(([name, value]) => {
    const parameter = operation.parameters.find((one) => one.in === "path" && one.name === name);
    return [name, toValue(document, parameter, value)] as const;
  });
  return {
    operation: operation.id,
    path: Object.fromEntries(values),
    query: toQuery(document, operation, searchParams),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(json !== undefined && { body: json }),
    ...(json === undefined && text !== undefined && { text }),
    caller,
    ...(method !== operation.method && { method }),
  };
}

/** Headers that browsers add to every request, which no service needs. */
const OF_BROWSERS = /^(?:sec-|user-agent$|accept-language$|priority$|dnt$|connection$|host$)/i;

function toSent({ entry, url }: Exchanged): SentRequest {
  const { request } = entry;
  const { text } = toRequestBody(entry);
  const headers = listHeaders(request.headers).filter(([name]) => !OF_BROWSERS.test(name));
  return {
    method: request.method.toUpperCase(),
    url: url.href.replace(/#.*$/, ""),
    headers: Object.fromEntries(headers.map(([name, value]) => [toSpelling(name), value])),
    ...(text !== undefined && { body: text.slice(0, SEARCHED_CHARACTERS) }),
  };
}

function toRaw(entry: TrafficEntry): { readonly raw: RawAnswer; readonly isWhole: boolean } {
  const { status, headers: written, content } = entry.response;
  const headers = new Headers();
  // Recorders join lines of a header; `fetch` reads the bytes of other letters one by one.
  for (const [name, value] of listHeaders(written))
    headers.append(name, Buffer.from(value.replaceAll(/[\r\n]+/g, ", ")).toString("latin1"));
  const { mimeType = "" } = content ?? {};
  if (!headers.has("Content-Type") && /^[\w.+-]+\/[\w.+-]+/.test(mimeType))
    headers.set("Content-Type", mimeType);
  const { bytes, isWhole } = toResponseBody(entry, headers.get("Content-Type") ?? "");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { raw: { status, headers, bytes, size: bytes.length, sha256, isCut: !isWhole }, isWhole };
}
