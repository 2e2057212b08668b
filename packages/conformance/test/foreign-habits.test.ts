// Lawful habits of services that nobody here wrote raise no alarm, and what breaks a promise is still seen.
import { describe, expect, test } from "vitest";
import {
  type Thing,
  type Paths,
  THING,
  things,
  inQuery,
  listing,
  getting,
  summarise,
  KEPT,
  serve,
  THINGS,
} from "./foreign/things.ts";
import {
  type Asked,
  check,
  fields,
  inPath,
  isSignedIn,
  listOf,
  operation,
  type Reply,
  SIGN_IN,
  TEXT,
} from "./styles.ts";

describe("lawful habits", () => {
  const PAGE = { of: "listThings", size: "limit", cursor: "cursor", next: "next" };
  const limit = { type: "integer", minimum: 1, maximum: 50 };
  const rows = fields({ items: listOf(THING), next: { type: ["string", "null"] } }, ["items"]);
  const paged: Paths = {
    "/things": {
      get: {
        ...operation("listThings", { 200: rows }),
        parameters: [inQuery("limit", limit), inQuery("cursor")],
      },
    },
  };
  /** `after`: where the cursor of the last rows leads. */
  const walk =
    (after: (count: number) => string | null) =>
    (asked: Asked): Reply => {
      if (!isSignedIn(asked)) return SIGN_IN;
      if (asked.method !== "GET") return { status: 405, headers: { allow: "GET, HEAD" } };
      const [size, from] = [
        Number(asked.query.get("limit") ?? 5),
        (asked.query.get("cursor") ?? "c0").slice(1),
      ];
      if (!(size > 0 && size <= 50) || !/^\d+$/.test(from)) return { status: 400, body: {} };
      const items = things("t").slice(Number(from), Number(from) + size);
      const end = Number(from) + items.length;
      return {
        status: 200,
        body: { items, next: end < 9 ? `c${end}` : items.length > 0 ? after(9) : null },
      };
    };

  test("a cursor may lead to an empty page, unless the rule says more", async () => {
    const empty = walk((count) => `c${count}`);
    expect(await summarise(paged, empty, { rules: [{ page: PAGE }] })).toMatchObject(KEPT);
    for (const [reply, last, clause] of [
      [empty, null, "next"],
      [walk(() => null), "empty", "next"],
      [walk(() => "c0"), "either", "circle"],
    ] as const)
      expect(
        (await summarise(paged, reply, { rules: [{ page: { ...PAGE, last } }] })).findings,
      ).toContain(`page.${clause} listThings`);
  });

  test("a list without a rule of order comes in any, each time", async () => {
    let turn = 0;
    const shuffled = serve({ things: things("t") }, (reply) => {
      const { items } = reply.body as { items?: readonly Thing[] };
      turn += 1;
      const cut = turn % 9;
      return items === undefined
        ? reply
        : { ...reply, body: { items: [...items.slice(cut), ...items.slice(0, cut)] } };
    });
    expect(await summarise(THINGS, shuffled)).toMatchObject(KEPT);
    const rules = [{ order: { of: "listThings", by: "id" } }];
    expect((await summarise(THINGS, shuffled, { rules })).findings).toContain(
      "order.order listThings",
    );
  });

  test("the length of a compressed answer is that of its coded bytes; of a plain one it still counts", async () => {
    const file = {
      200: { description: "", content: { "application/octet-stream": {} } },
      404: { description: "" },
    };
    const paths: Paths = {
      ...THINGS,
      "/things/{id}/file": {
        get: { operationId: "getFile", parameters: [inPath("id")], responses: file },
      },
    };
    const send =
      (toHeaders: (isPlain: boolean) => Readonly<Record<string, string>>) =>
      (asked: Asked): Reply => {
        const [, id, last] = asked.steps;
        if (last !== "file" || !isSignedIn(asked) || asked.method !== "GET")
          return serve({ things: things("t") })(asked);
        const isPlain = asked.headers.get("accept-encoding") === "identity";
        const type = { "content-type": "application/octet-stream" };
        return { status: 200, body: `file of ${id}`, headers: { ...type, ...toHeaders(isPlain) } };
      };
    const rules = [{ bytes: { of: "getFile" } }];
    const coded = { "content-encoding": "gzip", "content-length": "7", vary: "Accept-Encoding" };
    expect(
      await summarise(
        paths,
        send((isPlain) => (isPlain ? {} : coded)),
        { rules },
      ),
    ).toMatchObject(KEPT);
    const short = send(() => ({ "content-length": "7" }));
    expect((await summarise(paths, short, { rules })).findings).toContain("bytes.length getFile");
  });

  test("null of a nullable allOf, as generators of 3.0 write it, and no other type", async () => {
    const more = { openapi: "3.0.3" };
    for (const nullable of [
      { nullable: true, allOf: [{ $ref: "#/paths/~1things~1{id}/x-owner" }] },
      { nullable: true, $ref: "#/paths/~1things~1{id}/x-owner" },
    ]) {
      const owned = fields({ id: TEXT, name: TEXT, owner: nullable }, ["id", "name"]);
      const paths = {
        ...THINGS,
        "/things/{id}": { get: getting("getThing", owned), "x-owner": fields({ mail: TEXT }) },
      };
      const owning = (owner: unknown) =>
        serve({ things: things("t") }, (reply) => {
          const thing = reply.body as Thing;
          return "items" in thing ? reply : { ...reply, body: { ...thing, owner } };
        });
      expect(await summarise(paths, owning(null), { more })).toMatchObject(KEPT);
      expect(await summarise(paths, owning({ mail: "a" }), { more })).toMatchObject(KEPT);
      for (const wrong of ["ada", { mail: 1 }, { male: "a" }])
        expect((await summarise(paths, owning(wrong), { more })).findings).toEqual([
          "answer.schema getThing",
        ]);
    }
  });

  test("a field that is required is documented, though no property says what it has", async () => {
    const odd = fields({ id: TEXT, name: TEXT }, ["id", "name", "departure"]);
    const paths = { ...THINGS, "/things/{id}": { get: getting("getThing", odd) } };
    const more = (extra: Thing) =>
      serve({ things: things("t") }, (reply) => {
        const thing = reply.body as Thing;
        return "items" in thing ? reply : { ...reply, body: { ...thing, ...extra } };
      });
    expect(await summarise(paths, more({ departure: "A" }))).toMatchObject(KEPT);
    for (const extra of [{}, { departure: "A", arrival: "B" }])
      expect((await summarise(paths, more(extra))).findings).toEqual(["answer.schema getThing"]);
  });

  test("a hole in the access is one finding, with the widest way in", async () => {
    const open = (asked: Asked) =>
      serve({ things: things("t") })({
        ...asked,
        headers: new Headers({ authorization: "Bearer abCD-1234ef-own" }),
      });
    const paths = {
      "/things": { get: listing("listThings", THING, { parameters: [inQuery("q")] }) },
    };
    const { findings } = await check(paths, open);
    expect(findings.map(({ requirement, fault }) => `${requirement}: ${fault}`)).toEqual([
      "auth.refused: GET with no credentials is answered 200",
    ]);
  });
});

test("what RFC 9110 asks of 401 and 405 is due where the document promises it, and else recommended", async () => {
  const bare = (asked: Asked): Reply => {
    const isPlain = asked.headers.get("authorization")?.startsWith("Bearer ") === true;
    if (!isSignedIn(asked) || !isPlain) return { status: 401, body: {} };
    return asked.method === "GET"
      ? serve({ things: things("t") })(asked)
      : { status: 405, body: {} };
  };
  const all = ["auth.challenge listThings", "auth.scheme-case listThings", "http.allow listThings"];
  expect(await summarise(THINGS, bare)).toMatchObject(KEPT);
  const { findings } = await summarise(THINGS, bare, { isStrict: true });
  expect(findings).toEqual(expect.arrayContaining(all));
  const said = (name: string) => ({ description: "", headers: { [name]: { schema: TEXT } } });
  const told = Object.fromEntries(
    Object.entries(THINGS).map(([path, { get }]: [string, { get?: Thing }]) => {
      const responses = {
        ...Object(get?.["responses"]),
        401: said("WWW-Authenticate"),
        405: said("Allow"),
      };
      return [path, { get: { ...get, responses } }];
    }),
  );
  const due = (await summarise(told, bare)).findings;
  expect(due).toEqual(expect.arrayContaining(all));
});

test("a number that cannot be read may be ignored where the document has no answer for wrong input", async () => {
  const page = { parameters: [inQuery("page", { type: "integer" })] };
  const told = listing("listThings", THING, page);
  const { "4XX": _refusal, ...responses } = Object(told["responses"]) as Thing;
  const reply = serve({ things: things("t") });
  const without = { "/things": { get: { ...told, responses } } };
  expect(await summarise(without, reply)).toMatchObject(KEPT);
  const strict = await summarise(without, reply, { isStrict: true });
  expect(strict.findings).toContain("input.refused listThings");
  const due = await summarise({ "/things": { get: told } }, reply);
  expect(due.findings).toContain("input.refused listThings");
});
