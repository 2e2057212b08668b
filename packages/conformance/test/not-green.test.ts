// A verdict is green over what was looked at alone, and a fault of the kit takes no report away.
import { describe, expect, test } from "vitest";
import { checkService } from "../src/index.ts";
import { signingIn, startService } from "./services.ts";
import {
  type Asked,
  check,
  type Checked,
  content,
  fields,
  inPath,
  isSignedIn,
  listOf,
  operation,
  type Reply,
  SIGN_IN,
  TEXT,
  TOKEN,
} from "./styles.ts";

const NOTE = fields({ id: TEXT, owner: TEXT, at: {} }, ["id"]);
const PATHS = {
  "/notes": { get: operation("listNotes", { 200: fields({ notes: listOf(NOTE) }, ["notes"]) }) },
  "/notes/{noteId}": { parameters: [inPath("noteId")], get: operation("getNote", { 200: NOTE }) },
};
const SAME = { sameAs: { of: "getNote", as: "listNotes" } };

type Note = Readonly<Record<string, unknown>>;
const NOTES: readonly Note[] = ["a", "b", "c"].map((id) => ({ id: `note-${id}`, owner: "ada" }));

/** Notes as a caller sees them; nobody's token is none. */
const serve =
  (toNotes: (asked: Asked) => readonly Note[] | undefined) =>
  (asked: Asked): Reply => {
    const notes = toNotes(asked);
    const [collection, id] = asked.steps;
    if (notes === undefined) return SIGN_IN;
    if (collection !== "notes") return { status: 404, body: {} };
    if (asked.method !== "GET") return { status: 405, body: {}, headers: { allow: "GET, HEAD" } };
    const note = notes.find((one) => one["id"] === id);
    if (id === undefined) return { status: 200, body: { notes } };
    return note === undefined ? { status: 404, body: {} } : { status: 200, body: note };
  };
const all = (notes: readonly Note[]) => serve((asked) => (isSignedIn(asked) ? notes : undefined));

test("lists without a row are no green, unless that is said to be right", async () => {
  const run = async (more: Checked = {}) => check(PATHS, all([]), { rules: [SAME], ...more });
  const { verdict, reason } = await run();
  expect(verdict).toBe("unable");
  expect(reason).toBe(
    "nothing was there to look at: listNotes (it had no row), getNote (listNotes had no row) at http://styles.test. If that is as it should be, say --empty-ok",
  );
  for (const more of [{ isEmptyOk: true }, { relations: { empty: "ok" } }])
    expect(await run(more)).toMatchObject({
      verdict: "kept",
      headline: expect.stringContaining("As far as an empty list shows: listNotes"),
    });
  expect(await check(PATHS, all(NOTES), { rules: [SAME] })).toMatchObject({ verdict: "kept" });
});

test.each<readonly [about: string, more: Checked, paths: Readonly<Record<string, object>>]>([
  ["all operations are left out", { without: ["listNotes", "getNote"] }, PATHS],
  ["the document has none", {}, {}],
  ["all that there is writes", {}, { "/notes": { post: operation("add", { 201: NOTE }, NOTE) } }],
])("where nothing was looked at, nothing is green: %s", async (_about, more, paths) => {
  const { verdict, reason } = await check(paths, all(NOTES), more);
  expect(verdict).toBe("unable");
  expect(reason).toMatch(/nothing was (?:looked at|asked)/);
  expect(reason).toContain("http://styles.test");
});

test("why nothing came is said with the address, and how often", async () => {
  const refuse = Object.assign(new TypeError("fetch failed"), {
    cause: new Error(`connect ECONNREFUSED 10.1.2.3:443 for ${TOKEN}`),
  });
  const target = { fetch: () => Promise.reject(refuse) };
  const { verdict, reason } = await check(PATHS, all(NOTES), { target });
  expect(verdict).toBe("unable");
  expect(reason).toBe(
    "3 of 3 requests to http://styles.test had no whole answer: fetch failed: connect ECONNREFUSED 10.1.2.3:443 for $FIRST_KEY",
  );
});

describe("two callers", () => {
  const RIGHTS = { perCaller: { of: ["listNotes", "getNote"], between: "disjoint" } };
  const OTHER = "the-token-of-somebody-else";
  const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
  const own = serve((asked) =>
    isSignedIn(asked)
      ? NOTES
      : asked.headers.get("authorization")?.endsWith(OTHER) === true
        ? [{ id: "note-z", owner: "bob" }]
        : undefined,
  );
  const same = serve(({ headers }) => (headers.has("authorization") ? NOTES : undefined));
  const run = async (reply: typeof own, second: Checked["target"]) =>
    check(PATHS, reply, { rules: [RIGHTS], without: ["auth"], target: second ?? {} });

  test("who sees other things is another one", async () => {
    const { kept, verdict } = await run(own, { second: bearer(OTHER) });
    expect(verdict).toBe("kept");
    expect(kept.map(({ requirement }) => requirement)).toContain("perCaller.hidden");
  });

  test("one caller twice proves no right", async () => {
    const { verdict, reason } = await run(same, { second: bearer(TOKEN) });
    expect(verdict).toBe("unable");
    expect(reason).toContain("perCaller needs a second caller, other than the first");
  });

  test("whoever is never let in proves none either", async () => {
    const { verdict, reason } = await run(own, { second: bearer("nobody-knows-this-one-here") });
    expect(verdict).toBe("unable");
    expect(reason).toContain("the second caller is answered 401");
  });
});

describe("a fault of the kit", () => {
  // oxlint-disable-next-line unicorn/no-thenable -- the word of JSON Schema
  const broken = { implies: { of: "getNote", if: {}, then: { type: "no such type" } } };

  test("in a law ends its cell alone", async () => {
    const { verdict, reason, kept, skipped } = await check(PATHS, all(NOTES), {
      rules: [broken, SAME],
    });
    expect(kept.map(({ requirement }) => requirement)).toContain("sameAs.same");
    const told = skipped.find(({ requirement }) => requirement === "implies.holds");
    expect(told?.why).toMatch(/^could not be judged: .*schema/i);
    expect(verdict).toBe("unable");
    expect(reason).toContain("implies of getNote");
  });

  test("in a schema ends what the schema says", async () => {
    const odd = { allOf: [fields({ id: TEXT }, ["id"]), { not: { $ref: "#/nowhere" } }] };
    const paths = {
      ...PATHS,
      "/notes/{noteId}": {
        parameters: [inPath("noteId")],
        get: {
          operationId: "getNote",
          responses: { 200: content(odd), 404: content({}), 405: {}, 401: {} },
        },
      },
    };
    const { kept, skipped } = await check(paths, all(NOTES), { rules: [SAME] });
    expect(kept.map(({ requirement }) => requirement)).toContain("sameAs.same");
    expect(skipped).toContainEqual(
      expect.objectContaining({ requirement: "answer.schema", operation: "getNote" }),
    );
  });

  test.each(["the day after", 9e300, true])("a date that is none is a finding: %j", async (at) => {
    const query = { in: "query", name: "since", schema: TEXT };
    const list = { ...PATHS["/notes"].get, parameters: [query] };
    const paths = { ...PATHS, "/notes": { get: list } };
    const notes = [...NOTES.map((note) => ({ ...note, at: "2026-03-07" })), { id: "d", at }];
    const rules = [{ range: { of: "listNotes", from: "since", field: "at", unit: "day" } }];
    const { findings } = await check(paths, all(notes), { rules });
    expect(findings).toContainEqual(
      expect.objectContaining({
        requirement: "range.within",
        fault: `at is ${JSON.stringify(at)}, which is no day`,
      }),
    );
  });
});

describe("an archive of calls", () => {
  const credentials = { secretID: "id-of-an-application", secretKey: "a-secret-of-some-length" };
  const startEmpty = () =>
    startService(
      signingIn((_request, response) => {
        response.writeHead(200, { "Content-Type": "application/json" });
        response.end('{"isError":false,"errorMessage":null,"data":[]}');
      }),
    );

  test("without a call is no green", async () => {
    await using service = await startEmpty();
    const { baseUrl } = service;
    const only = ["listUsers", "getMetadataByCallId"] as const;
    const { reason } = await checkService({ baseUrl, credentials }, { only });
    expect(reason).toContain(
      `searchMetadataByCustomFields (it had no row), listUsers (it had no row) at ${baseUrl}`,
    );
  });

  test("proves no right by one caller twice", async () => {
    await using service = await startEmpty();
    const target = { baseUrl: service.baseUrl, credentials, restricted: credentials };
    const { verdict, reason } = await checkService(target);
    expect(verdict).not.toBe("kept");
    expect(reason).toBe("the second caller is the first one: it proves no right");
  });
});
