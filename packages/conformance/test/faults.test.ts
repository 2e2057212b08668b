// What a finding says of a wrong body: the field, what was expected, and what came, in words.
import { expect, test } from "vitest";
import { checkService, type Yardstick } from "../src/index.ts";
import { createService, signedIn } from "./services.ts";

const credentials = { secretID: "id-of-an-application", secretKey: "a-secret-of-some-length" };

const FLAG = {
  Id: 7,
  Type: "Public",
  Name: "To review",
  DateCreated: "2026-03-01T09:00:00+01:00",
  DateModified: "2026-03-01T09:00:00+01:00",
};
const { Name: _name, ...NAMELESS } = FLAG;

/** In these, public flags are listed for the first time. */
const MAX_REQUESTS = 15;

/** What is found of public flags that are answered so. */
async function findFaults(envelope: object | string, against: Yardstick): Promise<string[]> {
  const body = typeof envelope === "string" ? envelope : JSON.stringify(envelope);
  let seen = 0;
  const service = createService(
    signedIn(({ url }) => {
      seen += Number(url.pathname === "/flags/public");
      return { body };
    }),
  );
  const only = ["listPublicFlags"] as const;
  const { findings } = await checkService(
    { ...service, credentials },
    { against, only, maxRequests: MAX_REQUESTS },
  );
  expect(seen).toBeGreaterThan(0);
  return findings.map(({ requirement, fault }) => `${requirement}: ${fault}`);
}

const withFlag = (flag: object) => ({ isError: false, errorMessage: null, data: [FLAG, flag] });

test.each([
  [{ ...FLAG, Id: "7" }, "data[1].Id: expected integer, got string"],
  [{ ...FLAG, Id: 1.5 }, "data[1].Id: expected integer, got 1.5"],
  [{ ...FLAG, Name: null }, "data[1].Name: expected string, got null"],
  [NAMELESS, "data[1].Name: missing"],
  [{ ...FLAG, Colour: "red" }, "data[1].Colour: not documented"],
  [{ ...FLAG, Type: "public" }, 'data[1].Type: expected "Public" or "Private", got "public"'],
  [
    { ...FLAG, DateCreated: "yesterday" },
    'data[1].DateCreated: expected an ISO 8601 timestamp with an offset, got "yesterday"',
  ],
  [
    { ...FLAG, DateCreated: "x".repeat(60) },
    "data[1].DateCreated: expected an ISO 8601 timestamp with an offset, got text of 60 characters",
  ],
])("a flag %j", async (flag, fault) => {
  expect(await findFaults(withFlag(flag), "interface")).toContain(`flags.fields: ${fault}`);
});

test.each([
  "2026-03-01T09:00:00+01",
  "2026-03-01T09:00:00,5Z",
  "2026-03-01T09:00+0100",
  "20260301T090000Z",
  "20260301T0900+0100",
  "20260301T090000.5-05",
])("a flag of %s has an ISO 8601 timestamp", async (DateCreated) => {
  const faults = await findFaults(withFlag({ ...FLAG, DateCreated }), "interface");
  expect(faults.filter((fault) => fault.startsWith("flags.fields"))).toEqual([]);
});

test.each(["20260230T090000Z", "20260301T09:00:00Z", "2026-03-01T090000Z", "20260301 090000Z"])(
  "a flag of %s has none",
  async (DateCreated) => {
    const faults = await findFaults(withFlag({ ...FLAG, DateCreated }), "interface");
    expect(faults).toContainEqual(
      expect.stringMatching(/^flags\.fields: .*ISO 8601|^flags\.fields: .*format/),
    );
  },
);

test("an empty body is called so", async () => {
  expect(await findFaults("", "interface")).toContain("answer.json: the body is empty");
});

test.each([
  [{ ...withFlag(FLAG), isError: true }, "isError: expected false, got true"],
  [{ ...withFlag(FLAG), errorMessage: "" }, "errorMessage: expected null, got string"],
  [{ ...withFlag(FLAG), data: {} }, "data: expected array, got object"],
  [{ ...withFlag(FLAG), total: 2 }, "total: not documented"],
  [{ data: [FLAG] }, "isError: missing"],
])("an envelope %j", async (envelope, fault) => {
  expect(await findFaults(envelope, "interface")).toContain(`answer.envelope: ${fault}`);
});

test("a bound of the document counts against the decisions alone", async () => {
  const envelope = withFlag({ ...FLAG, Id: -1 });
  const fault = "records.types: data[1].Id: expected at least 0, got -1";
  expect(await findFaults(envelope, "decisions")).toContain(fault);
  expect(await findFaults(envelope, "interface")).not.toContainEqual(expect.stringContaining("Id"));
});

test("no fault shows parameters of a validator", async () => {
  const faults = await findFaults({ isError: "no", data: [{}, 5, { Id: [] }] }, "decisions");
  expect(faults.length).toBeGreaterThan(1);
  expect(faults.filter((fault) => /[{}]|must /.test(fault))).toEqual([]);
});

test.each([
  ['{"isError":true,"isError":false,"errorMessage":null,"data":[]}', "isError"],
  [
    '{"isError":false,"errorMessage":"{\\"a\\":1}","data":[{"Id":1,"Name":"a: \\"{","Id":2}]}',
    "Id",
  ],
])("a name that stands twice in %s", async (text, name) => {
  const fault = `answer.json: the name "${name}" stands twice (RFC 8259, 4)`;
  expect(await findFaults(text, "interface")).toContain(fault);
});

test("a name that stands once in each object is no fault", async () => {
  const { Name, ...others } = FLAG;
  const text = JSON.stringify(withFlag({ ...others, Name: `${Name}", "Id": {` }));
  expect(await findFaults(text, "interface")).not.toContainEqual(
    expect.stringMatching(/^answer\.json/),
  );
});
