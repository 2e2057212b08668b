// Recorded traffic is judged by the document: what one response shows, and nothing that a recording cannot show.
import { expect, test } from "vitest";
import { judge, type Made, toEntry, toLines } from "./recorded.ts";
import { content, fields, inPath, listOf, operation, TEXT } from "./styles.ts";

const THING = fields({ id: TEXT, name: TEXT }, ["id", "name"]);

const PATHS = {
  "/things": {
    get: operation("listThings", { 200: listOf(THING) }),
    post: operation("addThing", { 201: THING }, fields({ name: TEXT })),
  },
  "/things/{id}": {
    parameters: [inPath("id")],
    get: {
      ...operation("readThing", { 200: THING }),
      responses: {
        200: {
          description: "ok",
          headers: { "X-Rate": { required: true, schema: { type: "integer" } } },
          ...content(THING),
        },
        301: { description: "moved" },
        "4XX": { description: "refused" },
      },
    },
    delete: operation("removeThing", { 204: null }),
  },
  "/things/mine": { get: operation("readMine", { 200: fields({ mine: { type: "boolean" } }) }) },
  "/things/{id}.png": {
    parameters: [inPath("id")],
    get: {
      operationId: "readPicture",
      responses: { 200: { description: "ok", content: { "image/png": {} } } },
    },
  },
};

const LAMP = { id: "7", name: "Lamp" };
const RATE = { "Content-Type": "application/json", "X-Rate": "5" };
const GOOD: readonly Made[] = [
  { url: "/things", body: [LAMP] },
  { url: "/things?page=2#top", body: [] },
  { method: "POST", url: "/things", sent: { name: "Lamp" }, status: 201, body: LAMP },
  { url: "/things/7", body: LAMP, headers: RATE },
  { url: "/things/a%2Fb", body: LAMP, headers: RATE },
  { method: "HEAD", url: "/things/7", headers: RATE },
  { method: "DELETE", url: "/things/7", status: 204 },
  { url: "/things/8", status: 404, body: { reason: "none" } },
  { url: "/things/mine", body: { mine: true } },
  {
    url: "/things/7.png",
    headers: { "Content-Type": "image/png" },
    content: { size: 3, mimeType: "image/png", text: "iVBO", encoding: "base64" },
  },
];

test("right traffic is kept, and of each operation that occurs it is said what needs requests", async () => {
  const { verdict, reason, findings, operations, traffic, skipped, requests, observations } =
    await judge(PATHS, GOOD.map(toEntry));
  expect({ verdict, reason, findings, operations, requests }).toEqual({
    verdict: "kept",
    reason: undefined,
    findings: [],
    operations: { seen: 6, of: 6 },
    requests: 0,
  });
  expect(observations.map(({ observed }) => observed)).toEqual([]);
  expect(traffic).toMatchObject({ exchanges: 10, judged: 10, leftOut: [], unknown: [] });
  expect(new Set(skipped.map(({ why }) => why))).toEqual(new Set(["needs requests"]));
  expect(skipped.map(({ requirement }) => requirement)).toContain("auth.refused");
});

const BAD: readonly (readonly [line: string, made: Made])[] = [
  [
    "answer.schema readThing: name: missing (log.entries[10])",
    { url: "/things/7", body: { id: "7" }, headers: RATE },
  ],
  [
    "answer.schema listThings: [0].nmae: not documented (log.entries[10])",
    { url: "/things", body: [{ ...LAMP, nmae: "Lamp" }] },
  ],
  [
    "answer.status addThing: status 200 is not documented (log.entries[10])",
    { method: "POST", url: "/things", sent: {}, body: LAMP },
  ],
  [
    "answer.content-type listThings: the content type of 200 is text/html, not application/json (log.entries[10])",
    { url: "/things", body: [], headers: { "Content-Type": "text/html" } },
  ],
  [
    "answer.headers readThing: the header X-Rate is missing (log.entries[10])",
    { url: "/things/7", body: LAMP },
  ],
  [
    "answer.headers readThing: the header X-Rate: expected integer, got NaN (log.entries[10])",
    { url: "/things/7", body: LAMP, headers: { ...RATE, "X-Rate": "often" } },
  ],
  [
    "answer.server-error listThings: answered 500 (log.entries[10])",
    { url: "/things", status: 500 },
  ],
  [
    "answer.json listThings: the body is no JSON (log.entries[10])",
    { url: "/things", body: [], content: { text: "[oops]" } },
  ],
  [
    "answer.secrets listThings: the body has the caller's credentials in it (log.entries[10])",
    {
      url: "/things",
      body: [{ id: "7", name: "abCD-1234ef-own" }],
      asking: { authorization: "Bearer abCD-1234ef-own" },
    },
  ],
];

test.each(BAD)("%s", async (line, made) => {
  const report = await judge(PATHS, [...GOOD, made].map(toEntry));
  expect([report.verdict, ...toLines(report)]).toEqual(["drift", line]);
});

test("the same fault is one finding, at the entry where it stood first", async () => {
  const wrong = { url: "/things/7", body: { id: "7" }, headers: RATE };
  const { findings } = await judge(
    PATHS,
    [GOOD[0], wrong, wrong].map((one) => one && toEntry(one)),
  );
  expect(findings.map(({ times, recorded }) => [times, recorded?.entry])).toEqual([
    [2, "log.entries[1]"],
  ]);
});

const WRONG = { nothing: "of the document" };
const LEFT_OUT: readonly (readonly [
  why: string,
  made: Made | Readonly<Record<string, unknown>>,
])[] = [
  ["other hosts, or outside of the base URL", { url: "https://other.test/things", body: WRONG }],
  ["from the cache of a browser", { url: "/things", body: WRONG, more: { _fromCache: "disk" } }],
  ["from the cache of a browser", { url: "/things", body: WRONG, more: { _fromDiskCache: true } }],
  ["304, without a body to judge", { url: "/things", status: 304, body: WRONG }],
  [
    "CORS preflights",
    {
      method: "OPTIONS",
      url: "/things",
      status: 204,
      asking: { "Access-Control-Request-Method": "GET" },
    },
  ],
  ["redirects that the document does not name", { url: "/things", status: 302 }],
  ["no response was recorded", { url: "/things", status: 0 }],
  ["upgrades to other protocols", { url: "/things", status: 101 }],
  ["not of HTTP", { url: "wss://api.test/things", status: 200 }],
  ["files of pages", { url: "/app.js", more: { _resourceType: "script" } }],
];

test.each(LEFT_OUT)("left out and counted: %s", async (why, made) => {
  const { verdict, findings, traffic } = await judge(PATHS, [...GOOD, made as Made].map(toEntry));
  expect([verdict, findings]).toEqual(["kept", []]);
  expect(traffic).toMatchObject({ exchanges: 11, judged: 10, unknown: [] });
  expect(traffic?.leftOut).toMatchObject([{ why, count: 1 }]);
});

test("what is no exchange is named with its place", async () => {
  const { traffic } = await judge(PATHS, [...GOOD.map(toEntry), { request: { method: "GET" } }]);
  const [{ why, examples: [example] } = { why: "", examples: [] }] = traffic?.leftOut ?? [];
  expect(why).toBe("no recorded exchange");
  expect(example).toMatch(/session\.har log\.entries\[10\]: response: missing$/);
});

test("a redirect that the document names is judged", async () => {
  const { traffic } = await judge(PATHS, [...GOOD, { url: "/things/1", status: 301 }].map(toEntry));
  expect(traffic).toMatchObject({ judged: 11, leftOut: [] });
});

const INCOMPLETE: readonly (readonly [about: string, content: Made["content"]])[] = [
  ["it was not recorded", { text: undefined, size: 120 }],
  ["its text is empty", { text: "", size: 120 }],
  ["it is shorter than its size", { text: '[{"id":"7","na', size: 900 }],
  ["it ends within its JSON, whatever the size says", { text: '[{"id":"7","na', size: 14 }],
  ["the recorder says so", { text: '[{"id":"7"}]', truncated: true }],
];

test.each(INCOMPLETE)("a body is counted and not judged if %s", async (_about, part) => {
  const { verdict, findings, traffic, coverage } = await judge(
    PATHS,
    [...GOOD, { url: "/things", body: [], content: part }].map((one) => toEntry(one as Made)),
  );
  expect([verdict, findings]).toEqual(["kept", []]);
  expect(traffic).toMatchObject({ judged: 11, withoutBody: 1 });
  expect(coverage.statuses.seen).toBe(7);
});

test("without recorded headers, none is missed, and the type is that of the content", async () => {
  const bare = {
    url: "/things/7",
    body: LAMP,
    headers: {},
    content: { mimeType: "application/json" },
  };
  const { verdict, findings } = await judge(PATHS, [toEntry(bare)]);
  expect([verdict, findings]).toEqual(["kept", []]);
  const wrong = await judge(PATHS, [toEntry({ ...bare, body: { id: "7" } })]);
  expect(toLines(wrong)).toEqual(["answer.schema readThing: name: missing (log.entries[0])"]);
});

test("a body in base64 is decoded", async () => {
  const text = Buffer.from(JSON.stringify([{ id: "7" }])).toString("base64");
  const report = await judge(PATHS, [
    toEntry({ url: "/things", body: [], content: { text, encoding: "base64", size: 12 } }),
  ]);
  expect(toLines(report)).toEqual(["answer.schema listThings: [0].name: missing (log.entries[0])"]);
});

test("paths of no operation are counted by their form, with their successes first", async () => {
  const { verdict, traffic } = await judge(
    PATHS,
    [
      ...GOOD,
      { url: "/hidden/1", status: 404 },
      { url: "/reports/3f2a/rows/12", body: [] },
      { url: "/reports/77/rows/1", status: 404 },
      { method: "PATCH", url: "/things/7", body: LAMP },
    ].map(toEntry),
  );
  expect(verdict).toBe("kept");
  expect(traffic?.unknown).toEqual([
    { method: "GET", path: "/reports/{}/rows/{}", count: 2, successes: 1 },
    { method: "PATCH", path: "/things/{}", count: 1, successes: 1 },
    { method: "GET", path: "/hidden/{}", count: 1, successes: 0 },
  ]);
});

test("callers are told apart by their credentials, which no report has", async () => {
  const asking = (authorization: string) => ({
    url: "/things",
    body: [],
    asking: { authorization },
  });
  const { traffic } = await judge(
    PATHS,
    ["Bearer one-caller", "Bearer other-caller", "Bearer one-caller"].map((one) =>
      toEntry(asking(one)),
    ),
  );
  expect(traffic?.callers).toBe(2);
});

const UNABLE: readonly (readonly [reason: RegExp, made: Made])[] = [
  [
    /^none of 1 recorded exchanges is of an operation of the document at https:\/\/api\.test\. Left out: 1 other hosts, .* \(other\.test\)$/,
    { url: "https://other.test/things", body: [] },
  ],
  [/^none of 1 recorded responses .* is a success$/, { url: "/things/7", status: 404 }],
  [
    /^no recorded response has its complete body$/,
    { url: "/things", body: [], content: { text: undefined } },
  ],
];

test.each(UNABLE)("nothing judged is no green: %s", async (reason, made) => {
  const report = await judge(PATHS, [toEntry(made)]);
  expect(report.verdict).toBe("unable");
  expect(report.reason).toMatch(reason);
});

test("a recording that no request was made in is unable", async () => {
  const { verdict, reason } = await judge(PATHS, []);
  expect(verdict).toBe("unable");
  expect(reason).toContain("none of 0 recorded exchanges");
});

const BASES: readonly (readonly [server: string, baseUrl: string | undefined, url: string])[] = [
  ["https://api.test/v1", undefined, "https://api.test/v1/things"],
  ["https://{tenant}.test:8443/{base}", undefined, "https://acme.test:8443/v2/things"],
  ["https://elsewhere.test", "http://127.0.0.1:8080/api/", "http://127.0.0.1:8080/api/things"],
  ["http://api.test", undefined, "https://api.test/things"],
];

test.each(BASES)("server %s, base URL %s: %s", async (server, baseUrl, url) => {
  const { traffic } = await judge(PATHS, [toEntry({ url, body: [] })], {
    more: { servers: [{ url: server, variables: { tenant: { default: "x" } } }] },
    ...(baseUrl !== undefined && { baseUrl }),
  });
  expect(traffic?.judged).toBe(1);
});

test.each(["/v1", "https://{host}/v1"])("the server %s names no host", async (url) => {
  const entry = toEntry({ url: "https://api.test/v1/things", body: [] });
  const { verdict, reason } = await judge(PATHS, [entry], { more: { servers: [{ url }] } });
  expect(verdict).toBe("unable");
  expect(reason).toMatch(/name no host: pass the base URL/);
});
