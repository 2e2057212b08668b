// Values of requests to services that nobody here wrote: where they come from, and which are believed.
import { describe, expect, test } from "vitest";
import { explain, loadRelations } from "../src/index.ts";
import {
  type Thing,
  type Paths,
  THING,
  inQuery,
  things,
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
  listOf,
  SIGN_IN,
  inPath,
  isSignedIn,
  operation,
  type Reply,
  TEXT,
  toDocument,
} from "./styles.ts";

describe("values belong to an operation and a parameter", () => {
  const paths: Paths = {
    ...THINGS,
    "/users": { get: listing("listUsers", THING) },
    "/users/{id}": { get: getting("getUser") },
    "/users/{id}/parts": { get: { ...listing("listParts", THING), parameters: [inPath("id")] } },
  };
  const all = { things: things("t"), users: things("u", 2), "users/u0/parts": things("p", 2) };

  test("one name in two paths has the values of each collection", async () => {
    const asked = new Set<string>();
    const reply = serve(all);
    const noting = (one: Asked) => {
      if (isSignedIn(one) && one.method === "GET") asked.add(one.steps.join("/"));
      return reply(one);
    };
    expect(await summarise(paths, noting)).toMatchObject(KEPT);
    expect([...asked]).toEqual(expect.arrayContaining(["things/t0", "users/u0", "users/u0/parts"]));
    expect([...asked].filter((one) => /things\/u|users\/t/.test(one))).toEqual([]);
  });

  test("a service that mixes them up is still seen", async () => {
    const { findings } = await summarise(
      paths,
      serve({ ...all, users: things("t", 2) }, (reply) => reply),
      {
        rules: [{ sameAs: { of: "getUser", as: "listThings" } }],
      },
    );
    expect(findings).toContain("sameAs.same getUser");
  });

  test("they are named by operation, by path, or by name, and listed so", async () => {
    const values = {
      "getUser.id": "listThings#items/*/id",
      "/users/{id}/parts.id": { literal: ["u0"] },
    };
    const document = toDocument(paths, { "x-relations": { values } });
    const told = explain(document, await loadRelations(document), {
      mayWrite: false,
      hasSecond: false,
    });
    expect(told.values).toEqual({
      "getThing.id": "listThings",
      "getUser.id": "listThings#items/*/id",
    });
    expect(told.unsourced).toEqual([]);
    const wrong = toDocument(paths, { "x-relations": { values: { "getUsr.id": "listThings" } } });
    await expect(loadRelations(wrong)).rejects.toThrow(
      'no operation "getUsr" in the document. Did you mean "getUser"?',
    );
  });

  test("a literal of the relations, or in backquotes of the description, is tried", async () => {
    const one = (description: string): Paths => ({
      "/folders/{folder}": {
        get: {
          ...operation("getFolder", { 200: THING }),
          parameters: [{ ...inPath("folder"), description }],
        },
      },
    });
    const reply = serve({ folders: [{ id: "0", name: "root" }] });
    expect(await summarise(one("The root is `0`."), reply)).toMatchObject(KEPT);
    // What prose says is only believed once it worked.
    expect(await summarise(one("Not `zero`."), reply)).toMatchObject({
      verdict: "unable",
      findings: [],
    });
    const values = { "getFolder.folder": { literal: "0" } };
    expect(await summarise(one(""), reply, { relations: { values } })).toMatchObject(KEPT);
  });
});

describe("values that only look right are tried, and no finding where they are refused", () => {
  const NAMED = { $ref: "#/components/schemas/Named" };
  const properties = { ...THING.properties, author: fields({ username: TEXT }) };
  const components = {
    securitySchemes: { main: { type: "http", scheme: "bearer" } },
    schemas: { Named: { ...THING, properties } },
  };
  const paths: Paths = {
    "/pets/search": { get: listing("searchPets", NAMED) },
    "/pet/{petId}": { get: getting("getPet", NAMED, "petId") },
    "/profiles/{username}": { get: getting("getProfile", THING, "username") },
    "/Services": { get: listing("listServices", fields({ service_sid: TEXT, name: TEXT })) },
    "/Services/{ServiceSid}": { get: getting("getService", fields({}), "ServiceSid") },
  };
  const pets = things("p", 3).map((one, index) => ({
    ...one,
    author: { username: `ann${index}` },
  }));
  const reply =
    (profiles: readonly Thing[]) =>
    (asked: Asked): Reply => {
      const [first, second] = asked.steps;
      if (first === "Services" && isSignedIn(asked) && asked.method === "GET") {
        const items = [1, 2].map((one) => ({ service_sid: `IS${one}`, name: `service ${one}` }));
        const one = items.find((item) => item.service_sid === second);
        if (second === undefined) return { status: 200, body: { items } };
        return one === undefined ? { status: 404, body: {} } : { status: 200, body: {} };
      }
      return serve({ "pets/search": pets, pet: pets, profiles })(asked);
    };

  test("keys of a list of the same things, fields of the name, names in another notation", async () => {
    const known = things("x", 1).map((one) => ({ ...one, id: "ann0" }));
    expect(await summarise(paths, reply(known), { more: { components } })).toMatchObject(KEPT);
    expect(await summarise(paths, reply([]), { more: { components } })).toMatchObject({
      verdict: "unable",
      findings: [],
    });
  });
});

describe("the query is written as the document says", () => {
  const asked = async (parameter: object, rules: readonly Thing[] = []) => {
    const seen = new Set<string>();
    const paths = {
      "/things": { get: listing("listThings", THING, { parameters: [parameter] }) },
    };
    const reply = (one: Asked): Reply => {
      if (isSignedIn(one) && one.query.size > 0) seen.add(one.query.toString());
      return serve({ things: things("t") })(one);
    };
    await check(paths, reply, { rules });
    return [...seen].map(decodeURIComponent);
  };
  const members = fields({ limit: { type: "integer" }, name: TEXT }, ["limit"]);

  test("the members of an object are parameters of their own", async () => {
    const plain = { ...inQuery("options", members), required: true };
    expect(await asked(plain)).toEqual(expect.arrayContaining(["limit=1"]));
    const deep = { ...plain, style: "deepObject" };
    expect(await asked(deep)).toEqual(expect.arrayContaining(["options[limit]=1"]));
  });

  test.each([
    [{ explode: false }, "ids=a,b"],
    [{ style: "pipeDelimited" }, "ids=a|b"],
    [{ style: "spaceDelimited" }, "ids=a+b"],
    [{}, "ids=a&ids=b"],
  ])("a list in %o: %s", async (style, written) => {
    const schema = { ...listOf(TEXT), example: ["a", "b"] };
    expect(await asked({ ...inQuery("ids", schema), required: true, ...style })).toContain(written);
  });

  test("a text of which nobody says anything may be refused", async () => {
    const needed = (schema: object) => ({
      "/things": {
        get: listing("listThings", THING, {
          parameters: [{ ...inQuery("by", schema), required: true }],
        }),
      },
    });
    const reply = (one: Asked): Reply => (isSignedIn(one) ? { status: 400, body: {} } : SIGN_IN);
    const free = await summarise(needed(TEXT), reply);
    expect(free).toMatchObject({ verdict: "unable", findings: [] });
    expect(free.reason).toContain("not every value in the request is known to exist");
    const told = await summarise(needed({ ...TEXT, enum: ["name"] }), reply);
    expect(told.findings).toContain("answer.success listThings");
  });
});
