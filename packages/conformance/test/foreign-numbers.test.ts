// Services of others with small numbers as keys, names that are keys, and lists of other things: only what the run created is changed, and all of it goes again.
import { expect, test } from "vitest";
import {
  createTables,
  INTEGER,
  isText,
  NAME,
  notAllowed,
  type Row,
  toFields,
} from "./foreign/tables.ts";
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

const only = (properties: Row, required: readonly string[] = []) => ({
  ...fields(properties, required),
  additionalProperties: false,
});

/** Owners with their pets, and visits of pets: all keys are small numbers. */
function openClinic() {
  const tables = createTables({
    owners: ["Ann", "Ben", "Cleo"].map((name) => ({ name })),
    pets: Array.from({ length: 9 }, (_, at) => ({ name: `pet ${at}`, ownerId: 1 + (at % 3) })),
    visits: [{ petId: 1, reason: "first" }],
  });
  const show = (owner: Row): Row => ({
    ...owner,
    pets: tables.rows("pets").filter(({ ownerId }) => ownerId === owner["id"]),
  });
  const toOwner = (key: string): Row => {
    const owner = tables.get("owners", key);
    return owner === undefined ? {} : show(owner);
  };
  const takes = (table: string, body: unknown): Row | undefined => {
    const { name, reason, petId } = toFields(body);
    if (table !== "visits") return isText(name) ? { name } : undefined;
    const isPet = tables.get("pets", String(petId)) !== undefined && Number.isInteger(petId);
    return isPet && isText(reason) ? { petId, reason } : undefined;
  };
  const reply = (asked: Asked): Reply => {
    const { method, steps, body } = asked;
    if (!isSignedIn(asked)) return SIGN_IN;
    const [table = "", key, pets, petKey] = steps;
    const see = (row: Row): Row => (table === "owners" ? toOwner(String(row["id"])) : row);
    if (key === undefined) {
      if (method === "GET") return { status: 200, body: tables.rows(table).map(see) };
      if (method !== "POST") return notAllowed("GET", "HEAD", "POST");
      const row = takes(table, body);
      return row === undefined
        ? { status: 400, body: {} }
        : { status: 201, body: see(tables.set(table, row)) };
    }
    const was = tables.get(table, key);
    if (was === undefined) return { status: 404, body: {} };
    if (pets !== undefined) {
      const pet = tables.get("pets", petKey);
      if (petKey !== undefined && method !== "GET") return notAllowed("GET", "HEAD");
      if (petKey !== undefined)
        return pet?.["ownerId"] === was["id"]
          ? { status: 200, body: pet }
          : { status: 404, body: {} };
      if (method !== "POST") return notAllowed("POST");
      const row = takes("pets", body);
      return row === undefined
        ? { status: 400, body: {} }
        : { status: 201, body: tables.set("pets", { ...row, ownerId: was["id"] }) };
    }
    if (method === "GET") return { status: 200, body: see(was) };
    if (method === "DELETE") {
      tables.remove(table, key);
      for (const pet of tables.rows("pets"))
        if (table === "owners" && pet["ownerId"] === was["id"])
          tables.remove("pets", String(pet["id"]));
      return { status: 204 };
    }
    const row = method === "PUT" ? takes(table, body) : undefined;
    if (method !== "PUT") return notAllowed("GET", "HEAD", "PUT", "DELETE");
    return row === undefined
      ? { status: 400, body: {} }
      : { status: 200, body: see(tables.set(table, { ...was, ...row })) };
  };
  const key = (name: string) => inPath(name, { ...INTEGER, minimum: 1 });
  const pet = fields({ id: INTEGER, name: TEXT, ownerId: INTEGER }, ["id", "name"]);
  const owner = fields({ id: INTEGER, name: TEXT, pets: listOf(pet) }, ["id", "name"]);
  const visit = fields({ id: INTEGER, petId: INTEGER, reason: TEXT }, ["id", "petId"]);
  const named = fields({ name: NAME }, ["name"]);
  const newVisit = fields({ petId: INTEGER, reason: NAME }, ["petId", "reason"]);
  const life = (word: string, thing: Row, sent: Row) => ({
    [`/${word.toLowerCase()}s`]: {
      get: operation(`list${word}s`, { 200: listOf(thing) }),
      post: operation(`add${word}`, { 201: thing }, sent),
    },
    [`/${word.toLowerCase()}s/{${word.toLowerCase()}Id}`]: {
      parameters: [key(`${word.toLowerCase()}Id`)],
      get: operation(`get${word}`, { 200: thing }),
      put: operation(`put${word}`, { 200: thing }, sent),
      delete: operation(`delete${word}`, { 204: null }),
    },
  });
  const paths = {
    ...life("Owner", owner, named),
    ...life("Visit", visit, newVisit),
    "/pets": { get: operation("listPets", { 200: listOf(pet) }) },
    "/owners/{ownerId}/pets": {
      parameters: [key("ownerId")],
      post: operation("addPet", { 201: pet }, named),
    },
    "/owners/{ownerId}/pets/{petId}": {
      parameters: [key("ownerId"), key("petId")],
      get: operation("getPet", { 200: pet }),
    },
  };
  return { paths, reply, tables };
}

test("the number of something else is not taken for the key of a new thing, and all that was created is deleted", async () => {
  const { paths, reply, tables } = openClinic();
  const report = await check(paths, reply, {
    mayWrite: true,
    rules: [
      {
        lifecycle: { of: "addOwner", read: "getOwner", update: "putOwner", delete: "deleteOwner" },
      },
      {
        lifecycle: { of: "addVisit", read: "getVisit", update: "putVisit", delete: "deleteVisit" },
      },
    ],
  });
  const { verdict, reason, findings } = report;
  expect({ verdict, reason, findings }).toEqual({ verdict: "kept", findings: [] });
  expect(tables.touched).toEqual([]);
  // What was below an owner is gone with the owner.
  expect({ left: report.left, rest: tables.rest() }).toEqual({ left: [], rest: [] });
});

/** A team with members: the service gives each a number, or knows it by its name. */
function openTeams(toMember: (name: string) => number) {
  const tables = createTables({ teams: [{ name: "first", members: [{ id: 1, name: "Ann" }] }] });
  const reply = (asked: Asked): Reply => {
    const { method, steps, body } = asked;
    if (!isSignedIn(asked)) return SIGN_IN;
    const was = tables.get("teams", steps[1]);
    if (steps[1] !== undefined && was === undefined) return { status: 404, body: {} };
    if (method === "GET") return { status: 200, body: was ?? tables.rows("teams") };
    if (method === "DELETE" && steps[1] !== undefined) {
      tables.remove("teams", steps[1]);
      return { status: 204 };
    }
    if (method !== "POST" || steps[1] !== undefined)
      return notAllowed("GET", "HEAD", steps[1] === undefined ? "POST" : "DELETE");
    const { name, members } = toFields(body);
    const all: unknown[] = Array.isArray(members) ? members : [];
    if (
      !isText(name) ||
      !Array.isArray(members) ||
      !all.every((one) => isText(toFields(one)["name"]))
    )
      return { status: 400, body: {} };
    const made = all.map((one) => ({
      id: toMember(String(toFields(one)["name"])),
      ...toFields(one),
    }));
    return { status: 201, body: tables.set("teams", { name, members: made }) };
  };
  const member = fields({ id: { ...INTEGER, readOnly: true }, name: NAME }, ["name"]);
  const team = fields({ id: INTEGER, name: TEXT, members: listOf(member) }, ["id", "name"]);
  const sent = fields({ name: NAME, members: listOf(member) }, ["name", "members"]);
  const paths = {
    "/teams": {
      get: operation("listTeams", { 200: listOf(team) }),
      post: operation("addTeam", { 201: team }, sent),
    },
    "/teams/{teamId}": {
      parameters: [inPath("teamId", INTEGER)],
      get: operation("getTeam", { 200: team }),
      delete: operation("deleteTeam", { 204: null }),
    },
  };
  return { paths, reply, tables };
}

test.each(["a new number each", "the number of their name"])(
  "parts of a new thing have keys that nobody sent: %s",
  async (way) => {
    let count = 7;
    const numbers = new Map<string, number>();
    const known = (name: string) =>
      numbers.get(name) ?? numbers.set(name, (count += 1)).get(name) ?? 0;
    const { paths, reply, tables } = openTeams(
      way === "a new number each" ? () => (count += 1) : known,
    );
    const rules = [{ echo: { of: "addTeam", body: "all" } }];
    const report = await check(paths, reply, { mayWrite: true, rules });
    expect(report.verdict).toBe("kept");
    expect(report.skipped.filter(({ why }) => /was not sent/.test(why))).toEqual([]);
    expect({ touched: tables.touched, rest: tables.rest() }).toEqual({ touched: [], rest: [] });
  },
);

const LABELS = {
  "/labels": {
    get: operation("listLabels", { 200: listOf(fields({ id: INTEGER, label: TEXT }, ["id"])) }),
    post: operation(
      "addLabel",
      { 200: fields({ id: INTEGER, label: TEXT }, ["id"]) },
      fields({ label: { type: ["string", "null"] } }),
    ),
  },
  "/labels/{labelId}": {
    parameters: [inPath("labelId", INTEGER)],
    get: operation("getLabel", { 200: fields({ id: INTEGER, label: TEXT }, ["id"]) }),
    delete: operation("deleteLabel", { 204: null }),
  },
};

/** A POST gives the label of that name, and creates it if there is none. */
function openLabels(find: (rows: readonly Row[], label: string) => Row | undefined) {
  const tables = createTables({ labels: ["home", "work"].map((label) => ({ label })) });
  const reply = (asked: Asked): Reply => {
    const { method, steps, body } = asked;
    if (!isSignedIn(asked)) return SIGN_IN;
    const was = tables.get("labels", steps[1]);
    if (steps[1] !== undefined && was === undefined) return { status: 404, body: {} };
    if (method === "GET") return { status: 200, body: was ?? tables.rows("labels") };
    if (method === "DELETE" && steps[1] !== undefined) {
      tables.remove("labels", steps[1]);
      return { status: 204 };
    }
    if (method !== "POST" || steps[1] !== undefined)
      return notAllowed("GET", "HEAD", steps[1] === undefined ? "POST" : "DELETE");
    const { label } = toFields(body);
    if (!isText(label)) return { status: 400, body: {} };
    return {
      status: 200,
      body: find(tables.rows("labels"), label) ?? tables.set("labels", { label }),
    };
  };
  return { reply, tables };
}

test("a POST that gets or creates is tried with names of the run, and only these are deleted", async () => {
  const { reply, tables } = openLabels((rows, label) => rows.find((one) => one["label"] === label));
  const report = await check(LABELS, reply, { mayWrite: true });
  expect({ verdict: report.verdict, findings: report.findings }).toEqual({
    verdict: "kept",
    findings: [],
  });
  expect(tables.touched).toEqual([]);
  expect(tables.rest().map((one) => `/${one}`)).toEqual(report.left.flatMap(({ what }) => what));
});

test("a POST that gives the same thing for any name gives nothing of the run's", async () => {
  const { reply, tables } = openLabels((rows) => rows[2]);
  const report = await check(LABELS, reply, { mayWrite: true });
  expect(tables.touched).toEqual([]);
  expect(tables.rest()).toEqual(["labels/3"]);
  expect(report.left.flatMap(({ what }) => what)).toEqual(["/labels/3"]);
});

/** Boxes and what is in them: a box that is created with a list of items takes them from where they are. */
function openBoxes(isNeeded: boolean) {
  const tables = createTables({
    boxes: [{ label: "first" }],
    items: [1, 2].map((at) => ({ label: `item ${at}`, box: 1 })),
  });
  const reply = (asked: Asked): Reply => {
    const { method, steps, body } = asked;
    if (!isSignedIn(asked)) return SIGN_IN;
    const [table = "", key] = steps;
    const was = tables.get(table, key);
    if (key !== undefined && was === undefined) return { status: 404, body: {} };
    if (method === "GET") return { status: 200, body: was ?? tables.rows(table) };
    if (table === "items") return notAllowed("GET", "HEAD");
    if (method === "DELETE" && key !== undefined) {
      tables.remove(table, key);
      return { status: 204 };
    }
    if (method !== "POST" || key !== undefined)
      return notAllowed("GET", "HEAD", key === undefined ? "POST" : "DELETE");
    const { kind, label, extra, items = isNeeded ? undefined : [] } = toFields(body);
    const all: readonly unknown[] | undefined = Array.isArray(items) ? items : undefined;
    const found = all?.map((one) => tables.get("items", String(toFields(one)["id"])));
    const isExtra = extra === undefined || typeof extra === "object";
    if (
      kind !== "boxes" ||
      !isText(label) ||
      !isExtra ||
      found === undefined ||
      found.includes(undefined)
    )
      return { status: 400, body: {} };
    const box = tables.set("boxes", { kind, label });
    for (const item of found)
      if (item !== undefined) tables.set("items", { ...item, box: box["id"] });
    return { status: 201, body: box, headers: { location: `/boxes/${String(box["id"])}` } };
  };
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = {
    kind: { type: "string", enum: ["items", "boxes"] },
    extra: { type: "object", additionalProperties: { type: ["string", "null"] } },
    base: {
      ...only({ kind: ref("kind"), extra: { allOf: [ref("extra")] } }, ["kind"]),
      discriminator: {
        propertyName: "kind",
        mapping: { items: "#/components/schemas/item", boxes: "#/components/schemas/box" },
      },
    },
    item: { allOf: [ref("base"), only({ label: TEXT })] },
    box: {
      allOf: [
        ref("base"),
        only({ label: NAME, items: listOf(fields({ id: INTEGER }, ["id"])) }, [
          "label",
          ...(isNeeded ? ["items"] : []),
        ]),
      ],
    },
  };
  const box = fields({ id: INTEGER, kind: TEXT, label: TEXT }, ["id"]);
  const added = operation("addBox", { 201: box }, ref("box"));
  const location = { Location: { schema: { ...TEXT, format: "uri" }, required: true } };
  const paths = {
    "/boxes": {
      get: operation("listBoxes", { 200: listOf(box) }),
      post: {
        ...added,
        responses: {
          ...added.responses,
          201: { ...toFields(added.responses["201"]), headers: location },
        },
      },
    },
    "/boxes/{boxId}": {
      parameters: [inPath("boxId", INTEGER)],
      get: operation("getBox", { 200: box }),
      delete: operation("deleteBox", { 204: null }),
    },
    "/items": {
      get: operation("listItems", {
        200: listOf(fields({ id: INTEGER, label: TEXT, box: INTEGER }, ["id"])),
      }),
    },
  };
  const security = { securitySchemes: { main: { type: "http", scheme: "bearer" } } };
  return { paths, reply, tables, more: { components: { ...security, schemas } } };
}

test.each([true, false])(
  "a new thing takes nothing of others into its lists (needed: %s), and says by its schema what it is",
  async (isNeeded) => {
    const { paths, reply, tables, more } = openBoxes(isNeeded);
    const report = await check(paths, reply, { mayWrite: true, more });
    expect({ verdict: report.verdict, findings: report.findings }).toEqual({
      verdict: "kept",
      findings: [],
    });
    expect({ touched: tables.touched, rest: tables.rest() }).toEqual({ touched: [], rest: [] });
    expect(report.unseen).toEqual([]);
  },
);

/** The numbers of a user: DELETE says in its body which are to go. */
function openNumbers() {
  const tables = createTables({ users: ["Ann", "Ben"].map((name) => ({ name })) });
  const numbers = new Map<string, readonly number[]>();
  const reply = (asked: Asked): Reply => {
    const { method, steps, body } = asked;
    if (!isSignedIn(asked)) return SIGN_IN;
    const [, key = "", below] = steps;
    const was = tables.get("users", key);
    if (key !== "" && was === undefined) return { status: 404, body: {} };
    if (below !== undefined) {
      const mine = numbers.get(key) ?? [];
      if (method === "GET") return { status: 200, body: { days: mine } };
      if (!["PUT", "DELETE"].includes(method)) return notAllowed("GET", "HEAD", "PUT", "DELETE");
      const { days } = toFields(body);
      const sent: unknown[] = Array.isArray(days) ? days : [];
      if (!Array.isArray(days) || !sent.every((one) => Number.isInteger(one)))
        return { status: 400, body: {} };
      if (Number(key) < 3) tables.touched.push(`${method} ${key}`);
      const all = sent.map(Number);
      numbers.set(key, method === "PUT" ? all : mine.filter((one) => !all.includes(one)));
      return { status: 204 };
    }
    if (method === "GET") return { status: 200, body: was ?? tables.rows("users") };
    if (method === "DELETE" && key !== "") {
      tables.remove("users", key);
      return { status: 204 };
    }
    if (method !== "POST" || key !== "")
      return notAllowed("GET", "HEAD", key === "" ? "POST" : "DELETE");
    const { name } = toFields(body);
    return isText(name)
      ? { status: 201, body: tables.set("users", { name }) }
      : { status: 400, body: {} };
  };
  const user = fields({ id: INTEGER, name: TEXT }, ["id", "name"]);
  const days = fields({ days: listOf(INTEGER) }, ["days"]);
  const inUser = [inPath("userId", INTEGER)];
  const paths = {
    "/users": {
      get: operation("listUsers", { 200: listOf(user) }),
      post: operation("addUser", { 201: user }, fields({ name: NAME }, ["name"])),
    },
    "/users/{userId}": {
      parameters: inUser,
      get: operation("getUser", { 200: user }),
      delete: operation("deleteUser", { 204: null }),
    },
    "/users/{userId}/numbers": {
      parameters: inUser,
      get: operation("getNumbers", { 200: days }),
      put: operation("putNumbers", { 204: null }, days),
      delete: operation("dropNumbers", { 204: null }, days),
    },
  };
  return { paths, reply, tables };
}

test("a DELETE that needs a body is sent what was set", async () => {
  const { paths, reply, tables } = openNumbers();
  const report = await check(paths, reply, { mayWrite: true });
  expect({ verdict: report.verdict, findings: report.findings, unseen: report.unseen }).toEqual({
    verdict: "kept",
    findings: [],
    unseen: [],
  });
  expect({ touched: tables.touched, rest: tables.rest() }).toEqual({ touched: [], rest: [] });
});
