// What the answers showed of the document: fields that never had two values, listed values never seen, parameters without effect.
import { expect, test } from "vitest";
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

const STATUS = { type: "string", enum: ["new", "open", "shut", "lost", "gone"] };
const ROW = fields(
  {
    id: TEXT,
    status: STATUS,
    unit: TEXT,
    kind: { const: "row" },
    owner: fields({ mail: TEXT }),
    tags: listOf(TEXT),
  },
  ["id"],
);
const ROW_REF = { $ref: "#/components/schemas/Row" };
const more = {
  components: {
    securitySchemes: { main: { type: "http", scheme: "bearer" } },
    schemas: { Row: ROW },
  },
};
const paths = {
  "/rows": {
    get: {
      ...operation("listRows", { 200: fields({ rows: listOf(ROW_REF) }, ["rows"]) }),
      parameters: [
        { in: "query", name: "status", schema: STATUS },
        { in: "query", name: "lang", schema: TEXT },
      ],
    },
  },
  "/rows/{id}": { get: { ...operation("getRow", { 200: ROW_REF }), parameters: [inPath("id")] } },
};
const ROWS = Array.from({ length: 6 }, (_, index) => ({
  id: `r${index}`,
  status: STATUS.enum[index % 3],
  unit: "kg",
  kind: "row",
  owner: { mail: `${index % 2}@rows.test` },
  tags: [],
}));

const reply = (asked: Asked): Reply => {
  if (!isSignedIn(asked)) return SIGN_IN;
  if (asked.method !== "GET") return { status: 405, headers: { allow: "GET, HEAD" } };
  const [, id] = asked.steps;
  const status = asked.query.get("status");
  if (status !== null && !STATUS.enum.includes(status)) return { status: 400, body: {} };
  if (id === undefined)
    return {
      status: 200,
      body: { rows: ROWS.filter((row) => status === null || row.status === status) },
    };
  const row = ROWS.find((one) => one.id === id);
  return row === undefined ? { status: 404, body: {} } : { status: 200, body: row };
};

test("a report says what its answers could not tell from a fault", async () => {
  const rules = [
    { filter: { of: "listRows", by: "status", field: "status" } },
    { sameAs: { of: "getRow", as: "listRows" } },
  ];
  const { coverage, headline, verdict } = await check(paths, reply, { rules, more });
  expect(verdict).toBe("kept");
  // A constant has one value by right.
  expect(coverage.fields).toEqual({
    seen: 9,
    of: 13,
    missing: ["listRows rows/*/unit", "listRows rows/*/tags", "getRow unit", "getRow tags"],
  });
  expect(headline).toContain("4 of 13 fields never had two values.");
  expect(coverage.parameters).toEqual({ seen: 2, of: 3, missing: ["listRows lang"] });
  expect(coverage.values).toEqual([
    { place: "listRows rows/*/status", seen: 3, of: 5, missing: ["lost", "gone"] },
  ]);
  expect(coverage.statuses).toEqual({ seen: 4, of: 4, missing: [] });
});

test("a message names the row, the field, what it is and what it should be", async () => {
  const rules = [
    { filter: { of: "listRows", by: "status", field: "status" } },
    { sameAs: { of: "getRow", as: "listRows" } },
    { order: { of: "listRows", by: "id" } },
  ];
  const told = async (change: (came: Reply, asked: Asked) => unknown) => {
    const wrong = (asked: Asked): Reply => {
      const came = reply(asked);
      return came.status === 200 ? { ...came, body: change(came, asked) } : came;
    };
    return (await check(paths, wrong, { rules, more })).findings.map(({ fault }) => fault);
  };
  expect(
    await told(({ body }, { steps }) =>
      steps.length === 1 ? body : { ...Object(body), unit: "g" },
    ),
  ).toContain('unit is "g", and "kg" in listRows (row "r0")');
  expect(
    await told(({ body }, { steps }) => (steps.length === 1 ? { rows: ROWS } : body)),
  ).toContain('"r1" comes and does not match (status=new) (its status is "open")');
  expect(
    await told(({ body }, { steps }) =>
      steps.length === 1 ? { rows: (body as { rows: object[] }).rows.toReversed() } : body,
    ),
  ).toContain('"r5" stands before "r4", against the order of id (id "r5", then "r4")');
});
