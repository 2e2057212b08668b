// The kinds of relations, with their fields and clauses. The only source of the JSON Schema and of the types of rules.
import type { JsonObject } from "@call-media/contract-diff";
import type { FilePlace } from "@call-media/contract-diff/files";
import { BASES } from "./requirements.ts";

/** What the name in a field must refer to. */
export type Meaning = "operation" | "parameter" | "row" | "answer";

export interface Field<Value, Need extends boolean = boolean> {
  readonly schema: JsonObject;
  readonly isNeeded: Need;
  /** True if a single name stands for a list of one. */
  readonly isList: boolean;
  readonly means?: Meaning;
  /** Never set: it only carries the type. */
  readonly value?: Value;
}

const NAME = { type: "string", minLength: 1 } as const;
const NAMES = { oneOf: [NAME, { type: "array", items: NAME, minItems: 1 }] } as const;

const field = <Value>(
  schema: JsonObject,
  more: Partial<Field<Value, false>> = {},
): Field<Value, false> => ({
  schema,
  isNeeded: false,
  isList: false,
  ...more,
});
const name = (means?: Meaning) => field<string>(NAME, means && { means });
const names = (means?: Meaning) =>
  field<readonly string[]>(NAMES, { isList: true, ...(means && { means }) });
const flag = () => field<boolean>({ type: "boolean" });
const object = () => field<JsonObject>({ type: "object" });
const oneOf = <const Choices extends readonly (string | number | null)[]>(...choices: Choices) =>
  field<Choices[number]>({ enum: choices });
const need = <Value>(one: Field<Value>): Field<Value, true> => ({ ...one, isNeeded: true });

const nameOrNumber = () =>
  field<string | number>(
    { oneOf: [NAME, { type: "integer", minimum: 1 }] },
    { means: "parameter" },
  );

/** A place, or `at` with a flag that more rows follow. `last`: the field of the last row that the cursor accepts. */
const next = () =>
  field<string | { readonly at?: string; readonly last?: string; readonly more?: string }>({
    oneOf: [
      NAME,
      {
        type: "object",
        properties: { at: NAME, last: NAME, more: NAME },
        additionalProperties: false,
        minProperties: 1,
      },
    ],
  });

/** By the place of the restricted field: the list of permitted values, and the flag that permits all. */
const cover = () =>
  field<Readonly<Record<string, string | { readonly in?: string; readonly all?: string }>>>({
    type: "object",
    additionalProperties: {
      oneOf: [
        NAME,
        {
          type: "object",
          properties: { in: NAME, all: NAME },
          additionalProperties: false,
          minProperties: 1,
        },
      ],
    },
  });

/** Fields of all kinds. */
const COMMON = {
  of: names("operation"),
  says: name(),
  source: field<string | Readonly<Record<string, string>>>({
    oneOf: [NAME, { type: "object", additionalProperties: NAME }],
  }),
  level: oneOf("must", "should", "observe"),
  ids: field<Readonly<Record<string, string>>>({ type: "object", additionalProperties: NAME }),
  only: names(),
} as const;

export const kinds = {
  page: {
    about: "Pages put together are the list.",
    clauses: ["size", "distinct", "circle", "whole", "past", "echo", "next", "total"],
    fields: {
      index: name("parameter"),
      unit: oneOf("page", "row"),
      from: oneOf(0, 1, "either"),
      size: nameOrNumber(),
      cursor: name("parameter"),
      echo: name("answer"),
      total: name("answer"),
      next: next(),
      range: name(),
      past: oneOf("empty", "missing", "either"),
      last: oneOf(null, "empty", "either"),
    },
  },
  filter: {
    about: "A parameter selects the rows whose field matches, all of them and no others.",
    clauses: ["match", "finds", "pages", "and", "nothing"],
    fields: {
      by: need(names("parameter")),
      field: need(names("row")),
      match: oneOf("equals", "folded", "digits", "contains", "prefix", "either"),
      as: name(),
      when: field<unknown>({}),
      nothing: oneOf("empty", "refused", "all", "missing"),
      unknown: oneOf("refused", "ignored"),
    },
  },
  range: {
    about: "Two parameters select the rows between them.",
    clauses: ["within", "finds", "ends", "reversed", "zone"],
    fields: {
      from: name("parameter"),
      to: name("parameter"),
      field: need(names("row")),
      unit: oneOf("day", "instant", "number"),
      ends: oneOf("closed", "half-open", "either"),
      zone: name("answer"),
      reversed: oneOf("refused", "either"),
    },
  },
  order: {
    about: "Rows stand in an order.",
    clauses: ["order"],
    fields: { by: need(names("row")), with: object() },
  },
  count: {
    about: "A total counts the rows.",
    clauses: ["total", "caller"],
    fields: { total: need(name("answer")), exact: flag(), ask: object() },
  },
  sameAs: {
    about: "An operation gives what another one gives of the same thing.",
    clauses: ["same", "unknown", "near"],
    fields: {
      as: need(name("operation")),
      key: names(),
      fields: names(),
      unknown: oneOf("empty", "missing", "either"),
    },
  },
  echo: {
    about: "What was asked for or sent is in the answer.",
    clauses: ["echo", "hard", "unknown"],
    fields: { param: name("parameter"), field: names("answer"), body: names() },
  },
  subset: {
    about: "With these parameters comes nothing that does not come without them.",
    clauses: ["subset"],
    fields: { with: need(object()), proper: flag() },
  },
  partition: {
    about: "The parts put together are the whole, and have nothing in common.",
    clauses: ["whole", "disjoint", "field"],
    fields: { by: need(name("parameter")), into: need(names()), whole: name(), field: name("row") },
  },
  distinct: {
    about: "Different keys give different content.",
    clauses: ["key", "content"],
    fields: { key: names(), content: name() },
  },
  projection: {
    about: "A parameter names the fields that come.",
    clauses: ["named", "others"],
    fields: { by: need(name("parameter")), fields: need(names()) },
  },
  implies: {
    about: "What fits one schema fits another.",
    clauses: ["holds"],
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    fields: { if: need(object()), then: need(object()), each: name("answer") },
  },
  default: {
    about: "A parameter that is left out is as if it had this value.",
    clauses: ["default"],
    fields: {
      param: need(name("parameter")),
      is: need(field<string | number | boolean>({ type: ["string", "number", "boolean"] })),
    },
  },
  lifecycle: {
    about: "What is created can be read, changed and deleted.",
    clauses: [
      "create",
      "read",
      "normal",
      "listed",
      "update",
      "keeps",
      "refused-unchanged",
      "delete",
      "gone",
      "others",
      "again",
      "validators",
    ],
    fields: {
      read: name("operation"),
      update: name("operation"),
      delete: name("operation"),
      list: name("operation"),
      gone: oneOf(404, 410),
      put: oneOf("replaces", "either"),
    },
  },
  perCaller: {
    about: "A caller sees no more than is theirs.",
    clauses: ["hidden", "seen", "counted", "as-unknown", "own"],
    fields: {
      between: need(oneOf("disjoint", "subset", "covered")),
      made: name("operation"),
      rights: name("operation"),
      cover: cover(),
      match: oneOf("equals", "folded", "suffix"),
      total: name("answer"),
      hidden: oneOf("as-unknown", "refused", "either"),
    },
  },
  bytes: {
    about: "A response in bytes says truly what it is; its parts are parts of the whole.",
    clauses: [
      "length",
      "type",
      "digest",
      "headers",
      "same",
      "name",
      "range",
      "refused",
      "unchanged",
      "if-range",
      "head",
      "steady",
    ],
    fields: {
      ranges: flag(),
      conditional: flag(),
      digest: name(),
      type: oneOf("as-bytes"),
      as: name("operation"),
      content: name(),
      name: name(),
      unreadable: oneOf("refused", "either"),
      steady: names(),
    },
  },
  signIn: {
    about: "Right credentials get a token that works, and wrong ones get none.",
    clauses: ["works", "fresh", "expires", "life", "wrong", "status", "alike"],
    fields: {
      token: need(name("answer")),
      secret: need(name()),
      expires: name("answer"),
      life: field<readonly number[]>({
        type: "array",
        items: { type: "integer" },
        minItems: 2,
        maxItems: 2,
      }),
      least: field<number>({ type: "integer", minimum: 1 }),
    },
  },
  refusal: {
    about:
      "A wrong request is refused with the status that fits, and the refusal names what is at fault.",
    clauses: [
      "query",
      "missing",
      "path",
      "body",
      "unknown",
      "empty",
      "media-type",
      "size",
      "accept",
      "method",
      "address",
      "names",
    ],
    fields: {
      param: names("parameter"),
      status: field<number>({ type: "integer", minimum: 400, maximum: 499 }),
      sentence: name(),
      empty: oneOf("refused", "taken"),
    },
  },
  stable: {
    about: "The same request has the same answer, and validators change with the content.",
    clauses: ["body", "validators", "conditional"],
    fields: { conditional: flag(), strong: flag() },
  },
} as const;

type Kinds = typeof kinds;
export type Kind = keyof Kinds;

type ValueOf<Of> = Of extends Field<infer Value> ? Value : never;
type Fields<Of> = {
  readonly [Name in keyof Of as Of[Name] extends Field<unknown, true> ? Name : never]: ValueOf<
    Of[Name]
  >;
} & {
  readonly [Name in keyof Of as Of[Name] extends Field<unknown, true> ? never : Name]?: ValueOf<
    Of[Name]
  >;
};

/** A rule as laws read it: validated, with single names converted to lists. */
export type RuleOf<Name extends Kind> = Fields<Kinds[Name]["fields"]> &
  Omit<Fields<typeof COMMON>, "of"> & {
    readonly kind: Name;
    /** Ids of the operations. */
    readonly of: readonly string[];
    readonly place: FilePlace;
  };
export type Rule = { [Name in Kind]: RuleOf<Name> }[Kind];

export const isKind = (text: string): text is Kind => Object.hasOwn(kinds, text);
export const KINDS = Object.keys(kinds).filter(isKind);

export function fieldsOf(kind: Kind): Readonly<Record<string, Field<unknown>>> {
  return { ...COMMON, ...kinds[kind].fields };
}

/** The JSON Schema of the relations file, draft 2020-12. */
export function toJsonSchema(): JsonObject {
  const toRule = (kind: Kind): JsonObject => {
    const fields = Object.entries(fieldsOf(kind));
    return {
      type: "object",
      description: `${kinds[kind].about} Clauses: ${kinds[kind].clauses.join(", ")}.`,
      required: fields.filter(([, { isNeeded }]) => isNeeded).map(([key]) => key),
      properties: Object.fromEntries(fields.map(([key, { schema }]) => [key, schema])),
      additionalProperties: false,
    };
  };
  const rules = {
    // Null if `rules:` has only comments below it.
    type: ["array", "null"],
    items: {
      type: "object",
      minProperties: 1,
      maxProperties: 1,
      properties: Object.fromEntries(KINDS.map((kind) => [kind, toRule(kind)])),
      additionalProperties: false,
    },
  };
  const list = {
    if: { type: "string" },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { const: "none" },
    else: {
      type: "object",
      properties: { items: { type: "string" }, key: NAMES, open: { type: "object" } },
      additionalProperties: false,
    },
  };
  const values = {
    if: { type: "string" },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: NAME,
    else: {
      type: "object",
      properties: { literal: {} },
      required: ["literal"],
      additionalProperties: false,
    },
  };
  const requirements = {
    type: "object",
    description: "What operations must do, by name: one sentence each, and what states them.",
    required: ["says"],
    properties: {
      of: NAMES,
      ...Object.fromEntries(BASES.map((basis) => [basis, NAME])),
      once: { type: "boolean" },
      says: { type: "object", additionalProperties: NAME, minProperties: 1 },
    },
    additionalProperties: false,
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Relations of an API for call-media check",
    type: "object",
    required: ["relations"],
    properties: {
      relations: { const: "1" },
      lists: { type: "object", additionalProperties: list },
      values: { type: "object", additionalProperties: values },
      rules,
      requirements: { type: "array", items: requirements },
      safe: NAMES,
      ignore: NAMES,
      world: { enum: ["open", "closed"] },
      empty: { const: "ok" },
      consistency: { type: "string", pattern: "^\\d+m?s$" },
    },
    additionalProperties: false,
  };
}
