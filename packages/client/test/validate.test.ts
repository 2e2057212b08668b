// What `@call-media/client/validate` finds in answers, whom it tells, and what it never tells.
import { document, routes } from "@call-media/api";
import { answers, schemas } from "@call-media/api/answer-schemas";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";

import { createClient, type Operation, ProtocolError } from "../src/index.ts";
import { createValidator, type Drift } from "../src/validate/index.ts";
import { credentials, failureOf, openService, sendJson } from "./service.ts";

const PATH = "/metadata/by-call-id/{call_id}";
const wanted = { params: { path: { call_id: "1" } } };

/** The first named example of every JSON success. */
const examples = routes.flatMap(({ operationId, responses }) => {
  const named = responses["200"]?.content?.["application/json"]?.examples ?? {};
  return Object.values(named)
    .slice(0, 1)
    .map(({ value }) => ({ operationId, value }));
});

const about = { operationId: "getMetadataByCallId", method: "GET", path: PATH } as const;
const record = examples.find(({ operationId }) => operationId === about.operationId)?.value as {
  readonly data: readonly Record<string, unknown>[];
};

function driftsOf(body: unknown, operationId = about.operationId as Drift["operationId"]): Drift[] {
  const drifts: Drift[] = [];
  const options = { onDrift: (drift: Drift) => void drifts.push(drift) };
  createValidator(options)(body, { ...about, operationId });
  return drifts;
}

test.each(examples)("the contract's own example of $operationId has no drift", (example) => {
  expect(driftsOf(example.value, example.operationId)).toEqual([]);
});

describe("drift is reported once per response, with place, type and count, but never the value", () => {
  const secret = "+31 20 555 0171";
  const edit = (change: object) => ({
    ...record,
    data: [record.data[0], { ...record.data[0], ...change }, { ...record.data[0], ...change }],
  });
  const cases = [
    [
      { talk_time: secret },
      "talk_time",
      "an integer from 0 to 9007199254740991 or null",
      "a string",
    ],
    [{ talk_time: -5 }, "talk_time", "an integer from 0 to 9007199254740991", "another integer"],
    [{ ani: 31_205_550_171 }, "ani", "a string or null", "an integer"],
    [{ datetime: secret }, "datetime", expect.stringMatching(/^text like /), "another string"],
    [{ ani: { number: secret } }, "ani", "a string or null", "an object"],
  ] as const;
  test.each(cases)("%o", (change, field, expected, received) => {
    const drifts = driftsOf(edit(change));
    expect(drifts).toEqual([
      { ...about, pointer: `/data/1/${field}`, expected, received, count: 2 },
    ]);
    expect(JSON.stringify(drifts)).not.toContain("555");
  });

  test("a field that is missing", () => {
    const { notes: _, ...short } = record.data[0] ?? {};
    expect(driftsOf({ ...record, data: [short] })).toEqual([
      { ...about, pointer: "/data/0/notes", expected: "a value", received: "nothing", count: 1 },
    ]);
  });

  test("a new field is not drift", () => {
    expect(driftsOf(edit({ sentiment: "good" }))).toEqual([]);
  });
});

const service = () =>
  openService((response) =>
    sendJson(response, 200, { isError: false, errorMessage: null, data: [{ call_id: 1 }] }),
  );

test("`throw` fails the call with a ProtocolError that says where, and it is not tried again", async () => {
  const { baseUrl, asked } = await service();
  const validate = createValidator({ mode: "throw", onDrift: () => {} });
  const client = createClient({ baseUrl, credentials, validate, random: () => 0 });
  const error = await failureOf(client.GET(PATH, wanted));
  expect(error).toBeInstanceOf(ProtocolError);
  expect(error).toMatchObject({
    message: expect.stringMatching(
      /^GET .* was answered 200 with an integer at \/data\/0\/call_id/,
    ),
  });
  expect(asked).toHaveLength(1);
});

test("an error thrown by validate fails the call immediately", async () => {
  const cause = new Error("no schema");
  const validate = (_: unknown, { path }: Operation) => {
    if (path !== "/Token") throw cause;
    return undefined;
  };
  const { baseUrl, asked } = await service();
  const client = createClient({ baseUrl, credentials, validate });
  const error = await failureOf(client.GET(PATH, wanted));
  expect(error).toBeInstanceOf(ProtocolError);
  expect(error).toMatchObject({ message: `GET ${PATH}: validate threw`, cause });
  expect(asked).toHaveLength(1);
});

test("`warn` writes lines and lets the answer through; `off` and what onDrift throws do nothing", async () => {
  const { baseUrl } = await service();
  const lines: string[] = [];
  const spy = vi.spyOn(console, "warn").mockImplementation((line) => void lines.push(line));
  const validate = createValidator();
  const { data } = await createClient({ baseUrl, credentials, validate }).GET(PATH, wanted);
  spy.mockRestore();
  expect(data.data).toEqual([{ call_id: 1 }]);
  expect(lines).toContain(
    `GET ${PATH}: an integer at /data/0/call_id, where the contract says a string or null`,
  );
  const never = createValidator({ mode: "off", onDrift: () => expect.unreachable() });
  expect(never({ isError: "no" }, about)).toBeUndefined();
  const failing = createValidator({
    onDrift: () => {
      throw new Error("the log is full");
    },
  });
  expect(failing({ isError: "no" }, about)).toBeUndefined();
});

test("the answer to a sign-in is checked too", async () => {
  const { baseUrl } = await openService(
    () => {},
    (response) =>
      sendJson(response, 200, {
        access_token: "t",
        type: "bearer",
        expires: "2999-01-01T00:00:00Z",
      }),
  );
  const validate = createValidator({ mode: "throw", onDrift: () => {} });
  const error = await failureOf(createClient({ baseUrl, credentials, validate }).GET(PATH, wanted));
  expect(error).toMatchObject({ path: "/Token", message: expect.stringContaining("at /type") });
});

test("a sample checks its share of the answers", () => {
  let at = 0;
  const draws = Array.from({ length: 100 }, (_, index) => index / 100);
  const found = vi.fn<(drift: Drift) => void>();
  const options = { sample: 0.1, onDrift: found, random: () => draws[at++] ?? 0 };
  const validate = createValidator(options);
  for (const _ of draws) validate({}, about);
  expect(new Set(found.mock.calls.map(([drift]) => drift.pointer)).size).toBe(3);
  expect(found).toHaveBeenCalledTimes(30);
});

test.each([[{ mode: "loud" as "warn" }], [{ sample: 1.5 }], [{ sample: Number.NaN }]])(
  "%o is refused",
  (options) => {
    expect(() => createValidator(options)).toThrow(TypeError);
  },
);

test("every keyword of the answers is known", () => {
  const known = new Set([
    ..."$ref type const enum pattern format minimum maximum minLength maxLength".split(" "),
    ..."maxItems minProperties required properties additionalProperties items".split(" "),
  ]);
  const found = new Set<string>();
  const collect = (schema: object): void => {
    for (const [key, value] of Object.entries(schema)) {
      found.add(key);
      if (key === "items") collect(value);
      if (key === "properties") for (const inner of Object.values<object>(value)) collect(inner);
    }
  };
  for (const schema of Object.values(schemas)) collect(schema);
  expect([...found].filter((keyword) => !known.has(keyword))).toEqual([]);
});

test("it finds what Ajv finds, whatever is done to an answer", () => {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv, ["date", "date-time", "int32", "int64"]);
  ajv.addSchema(document, "contract");
  const strange = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom("", "Bearer", "2026-02-30T00:00:00Z", "2026-03-02T06:14:00+01:00", 2 ** 53, -1),
  );
  const example = fc.constantFrom(...examples);
  fc.assert(
    fc.property(example, fc.nat(), strange, ({ operationId, value }, at, put) => {
      const places = placesOf(value);
      const body = replace(value, places[at % places.length] ?? [], put);
      const name = answers[operationId] ?? "";
      const isValid = ajv.getSchema(`contract#/components/schemas/${name}`)?.(body);
      expect(driftsOf(body, operationId).length === 0).toBe(isValid);
    }),
    { numRuns: 2000 },
  );
});

type Path = readonly string[];

function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...path, key])),
  ];
}

function replace(value: unknown, [key, ...rest]: Path, put: unknown): unknown {
  if (key === undefined) return put;
  const copy: Record<string, unknown> = structuredClone(value) as never; // a place within it was found
  copy[key] = replace(copy[key], rest, put);
  return copy;
}
