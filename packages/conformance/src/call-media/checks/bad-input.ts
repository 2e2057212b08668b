// Invalid requests derived from the document: for each operation, what its parameters and its body do not allow.
import type { OperationId, ParameterObject, Route, SchemaObject } from "@call-media/api";
import type { Ask } from "../../ask.ts";
import { routeOf } from "../answer.ts";
import type { RequirementId } from "../requirements/manifest.ts";
import { NOT_ACCEPTABLE, SEARCHES } from "../requirements/requirement.ts";

/** A request that the document does not allow. */
export interface BadInput {
  readonly ask: Ask;
  readonly id: RequirementId;
  readonly status: number;
  /** A short description of what is wrong. */
  readonly what: string;
  /** What the message of the refusal must name. */
  readonly names?: string;
}

const NO_DAY = "2026-02-30";
// No service accepts so large a filter, and it is still quick to send.
const TOO_LARGE = " ".repeat(2 ** 20);

/** Every wrong request of an operation, made from a right one. */
export function listBadInput(operation: OperationId, right: Ask): readonly BadInput[] {
  const route = routeOf(operation);
  return [
    ...route.parameters.flatMap((parameter) => ofParameter(parameter, right)),
    ...(route.body?.schema ? ofBody(route.body.schema, right) : []),
    ...(isSearch(operation) ? [ofOrder(right)] : []),
    ...ofForm(route, right),
  ];
}

function isSearch(operation: string): boolean {
  return SEARCHES.some((search) => search === operation);
}

function ofParameter(parameter: ParameterObject, right: Ask): readonly BadInput[] {
  const { name, in: place, required } = parameter;
  if (place === "header") return [];
  const id = requirementOf(name, right.operation);
  if (place === "path") return ofIdentifier(parameter, { id, right });
  const { [name]: _omitted, ...others } = right.query ?? {};
  const missing: BadInput[] = required
    ? [
        {
          ask: { ...right, query: others },
          id: "refused.query",
          status: 400,
          what: `no ${name}`,
          names: name,
        },
      ]
    : [];
  return [
    ...missing,
    ...listWrongValues(parameter).map((value) => ({
      ask: { ...right, query: { ...others, [name]: value } },
      id,
      status: 400,
      what: `${name}=${value}`,
      names: name,
    })),
  ];
}

const REQUIREMENT_OF: Readonly<Record<string, RequirementId>> = {
  pageIndex: "page.refused",
  startDate: "range.refused",
  endDate: "range.refused",
  part: "recording.refused",
};

function requirementOf(name: string, operation: string): RequirementId {
  const isIdentifier = name === "call_id" || name === "ref_id";
  const ofIdentifiers = /Recording/.test(operation) ? "recording.refused" : "refused.identifier";
  return REQUIREMENT_OF[name] ?? (isIdentifier ? ofIdentifiers : "refused.query");
}

/** Values that a parameter does not allow, each for a different reason. */
function listWrongValues({ name, schema }: ParameterObject): readonly string[] {
  const { type, minimum, enum: values, format } = schema;
  if (type === "integer")
    return [
      // A service that accepts a word also accepts this, because it begins like a number.
      "1.5",
      "99999999999999999999",
      ...(minimum !== undefined && minimum >= 0 ? [String(minimum - 1)] : []),
    ];
  if (values !== undefined) return ["no-such-value", String(values[0]).toUpperCase()];
  if (format !== "date") return [];
  // Services parse both ends of a range the same way: for endDate, one invalid value suffices.
  return name === "endDate" ? [NO_DAY] : [NO_DAY, "2026-03-01T00:00:00Z", "2026-3-1"];
}

function ofIdentifier(
  { name, schema: { maxLength } }: ParameterObject,
  { id, right }: { id: RequirementId; right: Ask },
): readonly BadInput[] {
  const { path } = routeOf(right.operation);
  const template = path.replace(/\{\w+\}$/, "");
  const tooLong: BadInput[] =
    maxLength === undefined
      ? []
      : [
          {
            ask: { ...right, path: { [name]: "x".repeat(maxLength + 1) } },
            id,
            status: 400,
            what: `a ${name} that is too long`,
            names: name,
          },
        ];
  const rawPath = `${template}%E0%A4%A`;
  const what = `a ${name} that is percent-encoded badly`;
  return [...tooLong, { ask: { ...right, rewrite: () => rawPath }, id, status: 400, what }];
}

function ofBody(schema: SchemaObject, right: Ask): readonly BadInput[] {
  const { properties = {}, required = [], minProperties = 0, "x-empty-with": other } = schema;
  const { body: _omitted, ...bare } = right;
  const malformed = ["", "{", "[]", "null"].map((text): BadInput => ({
    ask: { ...bare, text },
    id: "refused.body",
    status: 400,
    what: text === "" ? "an empty body" : `the body ${text}`,
  }));
  const whole = Object.fromEntries(required.map((name) => [name, "no-such"]));
  const wrong = listWrongBodies(properties).map(({ name, value }): BadInput => ({
    ask: { ...bare, body: { ...whole, [name]: value } },
    id: "refused.body",
    status: 400,
    what: `${name}: ${JSON.stringify(value)}`,
    names: name,
  }));
  const missing = required.map((name): BadInput => {
    const { [name]: _gone, ...rest } = whole;
    return {
      ask: { ...bare, body: rest },
      id: "refused.body",
      status: 400,
      what: `no ${name}`,
      names: name,
    };
  });
  return [
    ...malformed,
    ...wrong,
    ...missing,
    ...(schema.additionalProperties === false
      ? [
          {
            ask: { ...bare, body: { no_such_field: "x" } },
            id: "filter.unknown-key",
            status: 400,
            what: "an unknown field",
            names: "no_such_field",
          } as const,
        ]
      : []),
    ...(minProperties > 0 || other !== undefined
      ? [
          {
            ask: { ...bare, body: {} },
            id: "filter.empty",
            status: 400,
            what: "an empty filter",
          } as const,
        ]
      : []),
  ];
}

/** One property per type suffices for each wrong type. */
function listWrongBodies(properties: Readonly<Record<string, SchemaObject>>) {
  const wrongFor: Readonly<Record<string, readonly unknown[]>> = {
    string: [5, null, ["x"]],
    integer: ["5", 1.5],
  };
  return Object.entries(wrongFor).flatMap(([type, values]) => {
    const [name] = Object.entries(properties).find(([, schema]) => schema.type === type) ?? [];
    return name === undefined ? [] : values.map((value) => ({ name, value }));
  });
}

function ofOrder(right: Ask): BadInput {
  const query = { ...right.query, startDate: "2026-03-02", endDate: "2026-03-01" };
  const what = "a startDate after the endDate";
  return { ask: { ...right, query }, id: "range.refused", status: 400, what };
}

/** Invalid requests that concern only the format of request and response. */
function ofForm({ operationId, body }: Route, right: Ask): readonly BadInput[] {
  const text = JSON.stringify(right.body ?? {});
  const headers = { Accept: "image/x-none" };
  const what = "Accept: image/x-none";
  const isHeld = NOT_ACCEPTABLE.some((operation) => operation === operationId);
  return [
    ...(isHeld
      ? [{ ask: { ...right, headers }, id: "refused.accept", status: 406, what } as const]
      : []),
    ...(body === undefined ? [] : ofMedia(right, text)),
  ];
}

function ofMedia(right: Ask, text: string): readonly BadInput[] {
  const headers = { "Content-Type": "text/plain" };
  return [
    {
      ask: { ...right, headers },
      id: "refused.media-type",
      status: 415,
      what: "Content-Type: text/plain",
    },
    {
      ask: { ...right, text: text + TOO_LARGE },
      id: "refused.size",
      status: 413,
      what: "a body of a mebibyte",
    },
  ];
}
