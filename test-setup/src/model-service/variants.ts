// Other ways to write the same responses, which every document allows that does not say otherwise.
import { gzipSync } from "node:zlib";
import { type Drift, replies, when, withHeaders, type Wrap } from "./drift.ts";
import { isJson, type Reply } from "./service.ts";

interface Lists<Rows> {
  /** Requests as `reveal` of a drift has them: of a list, of a page behind its last one, and a HEAD. */
  readonly list: string;
  readonly afterLast: string;
  readonly head: string;
  /** Routes of lists. */
  readonly routes: readonly string[];
  /** True if the JSON of a list has no rows. */
  readonly isEmpty: (rows: Rows) => boolean;
}

/** The variants that any service with lists may be. */
export const listVariants = <Rows>(of: Lists<Rows>): readonly Drift[] => [
  {
    id: "gzip",
    says: "bodies are compressed for callers that accept gzip",
    reveal: [of.list],
    wrap: gzipped,
  },
  {
    id: "json-in-other-words",
    says: "keys come in another order, with spaces, and characters are escaped",
    reveal: [of.list],
    wrap: jsonInOtherWords,
  },
  {
    id: "charset",
    says: "the media type of JSON has a charset and other letter case",
    reveal: [of.list],
    wrap: withCharset,
  },
  {
    id: "no-page-after-last",
    says: "a page after the last one is 404 and not an empty list",
    reveal: [of.afterLast],
    wrap: withoutEmptyPages(of.routes, of.isEmpty),
  },
  { id: "no-head", says: "HEAD is 405", reveal: [of.head], wrap: withoutHead },
  {
    id: "more-headers",
    says: "there are headers that the document does not name",
    reveal: [of.list],
    wrap: withMoreHeaders,
  },
];

/** Compressed for callers that accept gzip. */
const gzipped: Wrap = replies("*", (reply, { headers }) => {
  const isWanted = headers["accept-encoding"]?.includes("gzip") ?? false;
  if (!isWanted || reply.body.length === 0) return reply;
  const encoding = { "content-encoding": "gzip", vary: "Accept-Encoding" };
  return { ...reply, headers: { ...reply.headers, ...encoding }, body: gzipSync(reply.body) };
});

/** Keys in reverse order, spaces, and every character outside of ASCII escaped. */
const jsonInOtherWords: Wrap = replies("*", (reply) => {
  if (!isJson(reply)) return reply;
  const turned: unknown = JSON.parse(reply.body.toString(), (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toReversed())
      : value,
  );
  const text = JSON.stringify(turned, null, 2).replaceAll("/", String.raw`\/`);
  const escape = (unit: string) =>
    String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return { ...reply, body: text.replaceAll(/[^\0-\x7f]/g, escape) };
});

/** The media type names the charset. */
const withCharset: Wrap = replies("*", (reply) =>
  isJson(reply)
    ? withType(reply, `${reply.headers["content-type"]?.replace("json", "JSON")}; Charset="utf-8"`)
    : reply,
);

/** HEAD is answered with 405. */
const withoutHead: Wrap = (service) => (request) =>
  request.isHead ? { status: 405, headers: { allow: "GET" }, body: "" } : service(request);

/** Headers that the document does not name. */
const withMoreHeaders: Wrap = replies("*", (reply, request, service) =>
  withHeaders({
    "cache-control": "no-cache",
    server: "nginx",
    "server-timing": "db;dur=3",
    "set-cookie": "node=3; Path=/",
    "x-request-id": String(request.path.length),
  })(reply, request, service),
);

/** A page after the last one is 404. @param where routes of lists; @param isEmpty of a list's JSON */
function withoutEmptyPages(where: readonly string[], isEmpty: (value: never) => boolean): Wrap {
  return replies(
    where,
    when("success", (reply, { query }) => {
      if (
        Number(query.get("page") ?? 1) === 1 ||
        !isEmpty(JSON.parse(reply.body.toString()) as never)
      )
        return reply;
      const headers = { "content-type": "application/problem+json" };
      return { status: 404, headers, body: '{"title":"There is no such page.","status":404}' };
    }),
  );
}

function withType(reply: Reply, type: string): Reply {
  return { ...reply, headers: { ...reply.headers, "content-type": type } };
}
