// What is refused, with which status, and by which sentence: at a service that is right, and with one fault each.
import { expect, test } from "vitest";
import { type Asked, createService } from "./services.ts";
import { check, fields, operation, type Reply, SIGN_IN, TEXT, TOKEN } from "./styles.ts";

const PAGE = { type: "integer", minimum: 1 };
const WANTED = {
  ...fields({ city: TEXT, sort: { type: "string", enum: ["name", "size"] } }, ["city"]),
  additionalProperties: false,
};
const inQuery = (name: string, schema: object, required = false) => ({
  name,
  in: "query",
  required,
  schema,
});
const ID = { name: "placeId", in: "path", required: true, schema: { ...TEXT, maxLength: 20 } };
const ANSWERS = { 200: fields({ places: { type: "array", items: TEXT } }) };
const paths = {
  "/places/search": {
    post: {
      ...operation("findPlaces", ANSWERS),
      parameters: [inQuery("page", PAGE), inQuery("day", { type: "string", format: "date" }, true)],
      requestBody: { required: true, content: { "application/json": { schema: WANTED } } },
    },
  },
  "/places/{placeId}": { get: { ...operation("getPlace", ANSWERS), parameters: [ID] } },
};

const refuse = (status: number, message: string, headers = {}): Reply => ({
  status,
  headers,
  body: { message },
});

function findBodyFault(text: string): string | undefined {
  if (text.length > 100_000) return "too large";
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return "no JSON";
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) return "no object";
  const { city, sort = "name", ...others } = body as Readonly<Record<string, unknown>>;
  const [other] = Object.keys(others);
  if (other !== undefined) return `${other} is unknown`;
  if (typeof city !== "string") return "city is missing or no text";
  return sort === "name" || sort === "size" ? undefined : "sort is no choice";
}

function reply({ url, method, headers, body: sent }: Asked): Reply {
  const { pathname: path, searchParams: query } = url;
  const [, id] = /^\/places\/([^/]+)$/.exec(path) ?? [];
  const isSearch = path === "/places/search";
  if (id === undefined && !isSearch) return refuse(404, "No such path.");
  if (method !== (isSearch ? "POST" : "GET"))
    return refuse(405, "No such method.", { allow: isSearch ? "POST" : "GET, HEAD" });
  if (headers.get("accept") === "image/x-none") return refuse(406, "JSON only.");
  if (id?.includes("%") === true) return refuse(400, "The path cannot be read.");
  if (!isSearch && (id?.length ?? 0) > 20) return refuse(400, "placeId is too long.");
  if (!isSearch) return { status: 200, body: { places: [] } };
  if (!/json/.test(headers.get("content-type") ?? "")) return refuse(415, "JSON only.");
  const page = query.get("page") ?? "1";
  if (!/^\d{1,6}$/.test(page) || Number(page) < 1) return refuse(400, "page is no integer.");
  const day = query.get("day") ?? "";
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && new Date(day).toJSON().startsWith(day);
  if (!isDay) return refuse(400, "day is no day.");
  const fault = findBodyFault(sent);
  if (fault !== undefined) return refuse(fault === "too large" ? 413 : 400, fault);
  return { status: 200, body: { places: [] } };
}

const RULES = [
  { refusal: { of: ["findPlaces", "getPlace"], sentence: "message", empty: "refused" } },
];

const run = async (finish: (right: Reply, asked: Asked) => Reply = (right) => right) => {
  const { fetch } = createService((asked) => {
    const isSignedIn = asked.headers.get("Authorization") === `Bearer ${TOKEN}`;
    const { body, ...head } = isSignedIn ? finish(reply(asked), asked) : SIGN_IN;
    return { ...head, body: JSON.stringify(body) };
  });
  const { findings, kept } = await check(paths, () => SIGN_IN, {
    target: { fetch },
    relations: {
      safe: ["findPlaces"],
      values: { placeId: { literal: "p1" }, day: { literal: "2026-03-02" } },
      rules: RULES,
    },
    without: ["http", "input", "matrix", "auth", "same", "links"],
  });
  return { findings: findings.map(({ requirement, fault }) => `${requirement}: ${fault}`), kept };
};

test("a service that refuses what is wrong keeps each clause", async () => {
  const { findings, kept } = await run();
  expect(findings).toEqual([]);
  const proved = new Set(kept.map(({ requirement }) => requirement));
  expect([...proved].filter((id) => id.startsWith("refusal.")).toSorted()).toEqual(
    ["accept", "address", "body", "empty", "media-type", "method", "missing", "names"]
      .concat("path", "query", "size", "unknown")
      .map((clause) => `refusal.${clause}`),
  );
});

const passing = (fits: (asked: Asked) => boolean) => (right: Reply, asked: Asked) =>
  right.status !== 200 && fits(asked) ? { status: 200, body: { places: [] } } : right;
const told = (from: number, to: number) => (right: Reply) =>
  right.status === from ? { ...right, status: to } : right;

test.each<
  readonly [fault: string, finish: (right: Reply, asked: Asked) => Reply, words: readonly string[]]
>([
  [
    "a day with a time",
    passing(({ url }) => /day=[^&]*T/.test(url.search)),
    ["refusal.query: day=2026-03-01T00:00:00Z is answered 200, not 400"],
  ],
  [
    "a choice in capitals",
    passing(({ body }) => /"sort":/.test(body)),
    ['refusal.body: sort: "no-such-choice" is answered 200, not 400'],
  ],
  [
    "a parameter that is missing",
    passing(({ url }) => !url.searchParams.has("day")),
    ["refusal.missing: no day is answered 200, not 400"],
  ],
  [
    "a long key",
    passing(({ url }) => url.pathname.includes("xxxxx")),
    ["refusal.path: placeId=xxxxxxxxxxxxxxxxxxxxx is answered 200, not 400"],
  ],
  [
    "an unknown field",
    passing(({ body }) => body.includes("no_such_field")),
    ["refusal.unknown: an unknown field is answered 200, not 400"],
  ],
  [
    "no form of the answer",
    told(406, 400),
    ["refusal.accept: Accept: image/x-none is answered 400, not 406"],
  ],
  [
    "another media type",
    told(415, 400),
    ["refusal.media-type: Content-Type: text/plain is answered 400, not 415"],
  ],
  ["a large body", told(413, 400), ["refusal.size: a body of a mebibyte is answered 400, not 413"]],
  ["another method", told(405, 404), ["refusal.method: the answer is 404"]],
  [
    "another method without Allow",
    (right) => (right.status === 405 ? { ...right, headers: {} } : right),
    ["refusal.method: Allow is missing"],
  ],
  ["an unknown path", told(404, 400), ["refusal.address: the answer is 400"]],
  [
    "a sentence without the name",
    (right) => (right.status === 400 ? { ...right, body: { message: "Bad input." } } : right),
    ['refusal.names: page=abc: "Bad input." does not name page'],
  ],
])("%s is told", async (_fault, finish, words) => {
  expect((await run(finish)).findings).toEqual(expect.arrayContaining([...words]));
});

test("an empty object that is taken is told, where it is to be refused", async () => {
  const { findings } = await run((right, { body }) =>
    body === "{}" ? { status: 200, body: { places: [] } } : right,
  );
  expect(findings).toContain("refusal.empty: an empty object is answered 200, not 400");
});
