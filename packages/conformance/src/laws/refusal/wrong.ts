// Wrong requests, each made from a right one by one fault, with the status that fits it.
import { isObject } from "@call-media/contract-diff";
import type { Ask } from "../../ask.ts";
import type { Operation, Parameter } from "../../document/document.ts";
import type { View } from "../../document/schemas.ts";
import type { RuleOf } from "../../relations/kinds.ts";
import type { Run } from "../../run.ts";
import { breakValue } from "../../values/break.ts";
import { bodyFields, mediaOf } from "../../values/fields.ts";
import { make, typeOf } from "../../values/make.ts";
import { toText, withoutValue, withValue } from "../../values/places.ts";
import { isWanted } from "../law.ts";

export interface Wrong {
  readonly clause: string;
  readonly ask: Ask;
  readonly statuses: readonly number[];
  /** The fault, in the words of the finding. */
  readonly what: string;
  /** The parameter or field at fault, if there is one. */
  readonly names?: string;
}

interface Base {
  readonly run: Run;
  readonly rule: RuleOf<"refusal">;
  readonly operation: Operation;
  readonly right: Ask;
}

const BAD_INPUT = 400;
const NOT_ACCEPTABLE = 406;
const TOO_LARGE = 413;
const OTHER_MEDIA_TYPE = 415;

/** No service accepts so large a body, and it is still quick to send. */
const LARGE_BYTES = 2 ** 20;
/** A truncated character (RFC 3629, 3) and a percent sign without its digits. */
const BAD_ENCODING = "%E0%A4%A";

/** The wrong requests of the clauses that a rule asks for. */
export function listWrong(base: Base): readonly Wrong[] {
  const all = [...ofParameters(base), ...ofBody(base), ...ofForm(base)];
  return all.filter(({ clause }) => isWanted(base.rule, clause));
}

const statusOf = ({ status = BAD_INPUT }: RuleOf<"refusal">): readonly number[] => [status];

function* ofParameters(base: Base): Generator<Wrong> {
  const { rule, operation, right, run } = base;
  const tried = new Set<string>();
  for (const parameter of operation.parameters) {
    const { name, in: where, required } = parameter;
    if (rule.param !== undefined && !rule.param.includes(name)) continue;
    if (where === "query") {
      const faults = [...ofValues(base, parameter, "query")];
      const alike = faults.map(({ what }) => what.replaceAll(name, "")).join();
      // Both ends of a range are read the same way: of the second, one fault suffices.
      yield* tried.has(alike) ? faults.slice(0, 1) : faults;
      tried.add(alike);
    }
    // A service that reads 12x as 12 would change a thing of others.
    if (where === "path" && run.own.isReading(operation)) {
      yield* ofValues(base, parameter, "path");
      if (operation.path.endsWith(`{${name}}`)) yield toBadlyEncoded(base, name);
    }
    if (where === "query" && required)
      yield {
        clause: "missing",
        ask: { ...right, query: { ...right.query, [name]: undefined } },
        statuses: statusOf(rule),
        what: `no ${name}`,
        names: name,
      };
  }
}

function* ofValues(
  { run, rule, right }: Base,
  { name, schema }: Parameter,
  clause: "path" | "query",
): Generator<Wrong> {
  if (schema === undefined) return;
  for (const { value, how } of breakValue(run.document.schemas, schema, true)) {
    const text = toText(value);
    yield {
      clause,
      ask: { ...right, [clause]: { ...right[clause], [name]: value } },
      statuses: statusOf(rule),
      what: text.length > 40 ? `a ${name} that ${how}` : `${name}=${text}`,
      names: name,
    };
  }
}

const toBadlyEncoded = ({ rule, right }: Base, name: string): Wrong => ({
  clause: "path",
  ask: { ...right, rewrite: (target) => target.replace(/[^/?]*(?=\?|$)/, BAD_ENCODING) },
  statuses: statusOf(rule),
  what: `a ${name} that is percent-encoded badly`,
});

function* ofBody(base: Base): Generator<Wrong> {
  const { run, rule, operation, right } = base;
  const schema = mediaOf(operation)?.schema;
  if (schema === undefined || !isObject(right.body)) return;
  const { body: _omitted, ...bare } = right;
  for (const text of ["", "{", "[]", "null"])
    yield {
      clause: "body",
      ask: { ...bare, text },
      // What cannot be read may be told from what is not allowed.
      statuses: [BAD_INPUT, ...statusOf(rule)],
      what: text === "" ? "an empty body" : `the body ${text}`,
    };
  yield* ofFields(base);
  const { said } = run.document.schemas.view(schema);
  if (said["additionalProperties"] === false)
    yield {
      clause: "unknown",
      ask: { ...right, body: { ...right.body, [UNKNOWN_FIELD]: "x" } },
      statuses: statusOf(rule),
      what: "an unknown field",
      names: UNKNOWN_FIELD,
    };
  if (rule.empty !== undefined)
    yield {
      clause: "empty",
      ask: { ...right, body: {} },
      statuses: rule.empty === "taken" ? [200] : statusOf(rule),
      what: "an empty object",
    };
}

const UNKNOWN_FIELD = "no_such_field";

/** The faults of one field of each type, and each required field left out. */
function* ofFields({ run, rule, operation, right }: Base): Generator<Wrong> {
  const { schemas } = run.document;
  const least = make(schemas, mediaOf(operation)?.schema ?? "", true);
  const statuses = statusOf(rule);
  const tried = new Set<string>();
  for (const [name, schema] of bodyFields(run, operation)) {
    const view = schemas.view(schema);
    if (view.said["default"] === undefined && isObject(least) && Object.hasOwn(least, name))
      yield {
        clause: "body",
        ask: { ...right, body: withoutValue(right.body, name) },
        statuses,
        what: `no ${name}`,
        names: name,
      };
    const kind = kindOf(view);
    if (tried.has(kind)) continue;
    tried.add(kind);
    for (const { value, isBound } of breakValue(schemas, schema, false))
      if (!isBound)
        yield {
          clause: "body",
          ask: { ...right, body: withValue(right.body, name, value) },
          statuses,
          what: `${name}: ${JSON.stringify(value)}`,
          names: name,
        };
  }
}

const kindOf = (view: View): string =>
  `${typeOf(view)} ${toText(view.said["format"])} ${"enum" in view.said}`;

/** The requests whose only fault is their form. */
function* ofForm({ operation, right }: Base): Generator<Wrong> {
  yield {
    clause: "accept",
    ask: { ...right, headers: { Accept: "image/x-none" } },
    statuses: [NOT_ACCEPTABLE],
    what: "Accept: image/x-none",
  };
  if (operation.body === undefined) return;
  yield {
    clause: "media-type",
    ask: { ...right, headers: { "Content-Type": "text/plain" } },
    statuses: [OTHER_MEDIA_TYPE],
    what: "Content-Type: text/plain",
  };
  yield {
    clause: "size",
    ask: { ...right, text: JSON.stringify(right.body ?? {}) + " ".repeat(LARGE_BYTES) },
    statuses: [TOO_LARGE],
    what: "a body of a mebibyte",
  };
}
