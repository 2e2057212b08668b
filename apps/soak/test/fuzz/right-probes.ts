// Requests that keep the contract, made from the document's own schemas.
import { type ParameterObject, type Route, routes, type SchemaObject } from "@call-media/api";
import * as fc from "fast-check";
import type { Known } from "./known.ts";
import type { Probe } from "./probe.ts";
import { createText } from "./texts.ts";

/** Requests that the service has no reason to refuse with 400. */
export function createRightProbes(known: Known): fc.Arbitrary<Probe> {
  return fc.oneof(
    ...routes.map((route) => ({
      arbitrary: createProbe(route, known),
      // Each sign-in costs some 10 ms by design.
      weight: route.needsCredentials ? 20 : 1,
    })),
  );
}

type Values = Readonly<Record<string, string | undefined>>;

function createProbe(route: Route, known: Known): fc.Arbitrary<Probe> {
  const of = (place: string) => {
    const parameters = route.parameters.filter((parameter) => parameter.in === place);
    return fc.record(
      Object.fromEntries(parameters.map((parameter) => [parameter.name, toText(parameter, known)])),
    );
  };
  const parts = { path: of("path"), query: of("query"), headers: of("header") };
  return fc
    .record({ ...parts, body: toBody(route, known), bearer: fc.constantFrom(...known.bearers) })
    .map(({ path, query, headers, body, bearer }) => ({
      kind: "right",
      method: route.method,
      target: `${toPath(route, path)}${toQuery(query)}`,
      headers: [
        ...(route.needsCredentials ? [["Authorization", `Bearer ${bearer}`] as const] : []),
        ...(body === undefined ? [] : [["Content-Type", "application/json"] as const]),
        ...toPairs(headers),
      ],
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    }));
}

function toPath({ path }: Route, values: Values): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

function toQuery(values: Values): string {
  const pairs = toPairs(toOrdered(values));
  return pairs.length === 0
    ? ""
    : `?${new URLSearchParams(pairs.map(([...pair]) => pair)).toString()}`;
}

function toPairs(values: Values): readonly (readonly [string, string])[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
}

function toOrdered(values: Values): Values {
  const { startDate, endDate } = values;
  if (startDate === undefined || endDate === undefined || startDate <= endDate) return values;
  return { ...values, startDate: endDate, endDate: startDate };
}

function toText(parameter: ParameterObject, known: Known): fc.Arbitrary<string | undefined> {
  const { name, required, schema } = parameter;
  const value = MEANINGFUL[name] ?? toValue(schema, known.values[name]).map(String);
  return required ? value : fc.option(value, { nil: undefined, freq: 3 });
}

// Nearly anything is right by the schemas of these; here it shall also find something.
const MEANINGFUL: Readonly<Record<string, fc.Arbitrary<string>>> = {
  part: fc.constantFrom("1", "2", "10000"),
  words: fc.constantFrom(
    "refund",
    "the meter",
    '"estimated reading" bill*',
    "Leïla",
    "+1 614 555 0121",
    "0121",
    "返金",
    "𝕏 😀",
  ),
  Prefer: fc.constantFrom(
    "count=exact",
    "count=planned",
    "respond-async, count=exact",
    "words, count=exact",
  ),
  Range: fc.oneof(
    fc.tuple(fc.nat(3_000), fc.nat(300_000)).map(([a, b]) => `bytes=${a}-${a + b}`),
    fc.nat(3_000).map((from) => `bytes=${from}-`),
    fc.integer({ min: 1, max: 300_000 }).map((last) => `bytes=-${last}`),
    fc.constantFrom("bytes=0-0,5-9", "items=0-5", "bytes=999999999-"),
  ),
  "If-Range": fc.constantFrom('"abc"', 'W/"abc"', "Tue, 21 Jan 2025 09:14:28 GMT"),
  "If-None-Match": fc.constantFrom("*", '"abc"', 'W/"abc", "def"'),
};

function toBody({ body }: Route, known: Known): fc.Arbitrary<object | undefined> {
  const { schema } = body ?? {};
  if (schema === undefined) return fc.constant(undefined);
  const { properties = {}, required = [], "x-empty-with": other } = schema;
  if (required.length > 0) return toSignIn(known);
  const fields = Object.entries(properties).map(([name, field]) =>
    toValue(field, known.values[name]).map((value) => [name, value] as const),
  );
  return fc
    .uniqueArray(fc.oneof(...fields), {
      minLength: other === undefined ? 0 : 1,
      maxLength: 4,
      selector: ([name]) => name,
    })
    .map((pairs) => Object.fromEntries(pairs));
}

function toSignIn({ credentials }: Known): fc.Arbitrary<object> {
  const wrong = fc.record({ secretID: createText(0, 60), secretKey: createText(0, 60) });
  return fc.oneof(fc.constant(credentials), wrong);
}

function toValue(schema: SchemaObject, known: readonly string[] = []): fc.Arbitrary<unknown> {
  const { type, format, enum: allowed } = schema;
  if (allowed !== undefined) return fc.constantFrom(...allowed);
  if (format === "date") return day();
  if (type === "integer") return integer(schema);
  const any = createText(schema.minLength ?? 0, Math.min(schema.maxLength ?? 200, 1_024));
  return known.length === 0
    ? any
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, any);
}

function integer({ minimum, maximum }: SchemaObject): fc.Arbitrary<number> {
  const bounds = {
    min: minimum ?? Number.MIN_SAFE_INTEGER,
    max: maximum ?? Number.MAX_SAFE_INTEGER,
  };
  const small = { min: Math.max(bounds.min, 0), max: 12 };
  return fc.oneof(
    fc.maxSafeInteger().filter((n) => n >= bounds.min && n <= bounds.max),
    fc.integer(small),
  );
}

function day(): fc.Arbitrary<string> {
  const between = (min: string, max: string) =>
    fc
      .date({ min: new Date(min), max: new Date(max), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
  return fc.oneof(between("2024-11-01", "2026-10-31"), between("0001-01-01", "9999-12-31"));
}
