// Reads relations from a file, `x-relations` or an Overlay into one list of rules. Every fault has its line.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { FileFault, type FilePlace, readWrittenFile } from "@call-media/contract-diff/files";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { ApiDocument, Operation } from "../document/document.ts";
import { listOf } from "../document/schemas.ts";
import { fieldsOf, isKind, KINDS, type Rule, toJsonSchema } from "./kinds.ts";
import { toSuggestion } from "./nearest.ts";
import { checkNames } from "./names.ts";
import type { Relations } from "./relations.ts";
import { namesOf, toRequirements } from "./requirements.ts";

/** The content of a file or extension, with the line of each part. */
interface Carried {
  readonly value: JsonObject;
  readonly placeOf: (keys: readonly (string | number)[]) => FilePlace;
}

type Say = (keys: readonly (string | number)[], fault: string) => void;

const validate = new Ajv2020({ allErrors: true, strict: false }).compile(toJsonSchema());

/**
 * The combined relations of the document itself and of these files.
 *
 * @throws FileFault with one line for each fault: file, line, what is wrong, and the nearest name.
 */
export async function loadRelations(
  document: ApiDocument,
  files: readonly string[] = [],
): Promise<Relations> {
  const faults: string[] = [];
  const carried = [...fromDocument(document, faults)];
  for (const file of files) carried.push(...(await fromFile(file, document, faults)));
  const read = carried.map((one) => readCarried(one, document, faults));
  if (faults.length > 0) throw new FileFault(faults.join("\n"));
  return {
    lists: Object.assign({}, ...read.map(({ lists }) => lists)),
    values: Object.assign({}, ...read.map(({ values }) => values)),
    rules: read.flatMap(({ rules }) => rules),
    requirements: new Map(read.flatMap(({ requirements }) => [...requirements])),
    safe: read.flatMap(({ safe }) => safe),
    ignore: read.flatMap(({ ignore }) => ignore),
    isOpen: read.some(({ isOpen }) => isOpen),
    isEmptyOk: read.some(({ isEmptyOk }) => isEmptyOk),
    consistencyMs: read.findLast(({ consistencyMs }) => consistencyMs !== undefined)?.consistencyMs,
  };
}

function* fromDocument(
  { extension, operations, placeOf }: ApiDocument,
  faults: string[],
): Generator<Carried> {
  const root = "#/x-relations";
  if (extension !== undefined)
    yield {
      value: { relations: "1", ...(isObject(extension) && extension) },
      placeOf: (keys) => placeOf([root, ...keys].join("/")),
    };
  for (const { extension: rules, id, pointer } of operations.values()) {
    if (rules === undefined) continue;
    const at = `${pointer}/x-relations`;
    if (!Array.isArray(rules)) {
      const { file, line } = placeOf(at);
      faults.push(`${file}:${line}: x-relations of an operation is a list of rules`);
      continue;
    }
    yield {
      value: { relations: "1", rules: rules.map((rule) => withOperation(rule, id)) },
      placeOf: (keys) => placeOf([at, ...keys.slice(1)].join("/")),
    };
  }
}

/** A rule written at an operation has no `of`. */
function withOperation(rule: unknown, of: string): unknown {
  if (!isObject(rule)) return rule;
  return Object.fromEntries(
    Object.entries(rule).map(([kind, fields]) => [
      kind,
      isObject(fields) ? { of, ...fields } : fields,
    ]),
  );
}

async function fromFile(file: string, document: ApiDocument, faults: string[]): Promise<Carried[]> {
  const { value, lineOf } = await readWrittenFile(file);
  const placeOf = (keys: readonly (string | number)[]) => ({ file, line: lineOf(keys) });
  if (!isObject(value)) {
    faults.push(`${file}:1: a relations file begins with relations: "1"`);
    return [];
  }
  if (value["overlay"] === undefined) return [{ value, placeOf }];
  if (!/^"1\.[01]\.\d+"$/.test(JSON.stringify(value["overlay"])))
    faults.push(
      `${file}:${lineOf(["overlay"])}: Overlay ${JSON.stringify(value["overlay"])} is not understood: 1.0 and 1.1 are`,
    );
  return listOf(value["actions"]).flatMap((action, index) =>
    fromAction(action, document, { placeOf, index, faults }),
  );
}

interface ActionPlace {
  readonly placeOf: Carried["placeOf"];
  readonly index: number;
  readonly faults: string[];
}

/** Accepts only actions that add `x-relations`, to the root or to an operation. Others are rejected, never skipped. */
function fromAction(
  action: unknown,
  document: ApiDocument,
  { placeOf, index, faults }: ActionPlace,
): Carried[] {
  const { target, update, ...more } = isObject(action) ? action : {};
  const at = ["actions", index];
  const say = (key: string, fault: string): Carried[] => {
    const { file, line } = placeOf([...at, key]);
    faults.push(`${file}:${line}: ${fault}`);
    return [];
  };
  const odd = Object.keys(more).find((key) => key !== "description");
  if (odd !== undefined) return say(odd, `"${odd}" of an Overlay is not understood here`);
  const added = isObject(update) ? update["x-relations"] : undefined;
  if (added === undefined) return say("update", "only actions that add x-relations are understood");
  const inner = (keys: readonly (string | number)[]) =>
    placeOf([...at, "update", "x-relations", ...keys]);
  if (target === "$")
    return [{ value: { relations: "1", ...(isObject(added) && added) }, placeOf: inner }];
  const operation = findTarget(String(target), document);
  if (operation === undefined)
    return say(
      "target",
      `the target ${String(target)} is not understood, or there is no such operation`,
    );
  const rules = listOf(added).map((rule) => withOperation(rule, operation.id));
  return [{ value: { relations: "1", rules }, placeOf: (keys) => inner(keys.slice(1)) }];
}

/** `$.paths['/events'].get` and `$.paths.*[?@.operationId=='listEvents']` (RFC 9535), only for operations. */
function findTarget(target: string, { operations }: ApiDocument): Operation | undefined {
  const all = [...operations.values()];
  const [, id] =
    /^\$\.(?:paths\.\*|\.)\[\?\(?@\.operationId\s*==\s*['"]([^'"]+)['"]\)?\]$/.exec(target) ?? [];
  if (id !== undefined) return operations.get(id);
  const [, path, method = ""] =
    /^\$(?:\.paths|\['paths'\])\[['"]([^'"]+)['"]\](?:\.(\w+)|\[['"]\w+['"]\])$/.exec(target) ?? [];
  return all.find((one) => one.path === path && one.method === method.toUpperCase());
}

function readCarried(
  { value, placeOf }: Carried,
  document: ApiDocument,
  faults: string[],
): Relations {
  const say: Say = (keys, fault) => {
    const { file, line } = placeOf(keys);
    faults.push(`${file}:${line}: ${fault}`);
  };
  if (!validate(value)) {
    for (const error of validate.errors ?? []) sayError(error, value, say);
    return NO_RELATIONS;
  }
  const all = [...document.operations.keys()];
  const rules = listOf(value["rules"]).flatMap((rule, index) =>
    Object.entries(isObject(rule) ? rule : {}).map(([kind, written]) => {
      const fields = isObject(written) ? written : {};
      const of = namesOf(fields["of"] ?? [], all);
      return toRule(kind, { ...fields, of }, placeOf(["rules", index]));
    }),
  );
  const lists = toLists(value["lists"]);
  const read: Relations = {
    lists,
    values: isObject(value["values"]) ? (value["values"] as Relations["values"]) : {}, // checked by the schema
    rules,
    requirements: toRequirements(value["requirements"], all),
    safe: listOf(value["safe"]).map(String),
    ignore: listOf(value["ignore"]).map(String),
    isOpen: value["world"] === "open",
    isEmptyOk: value["empty"] === "ok",
    consistencyMs: toMs(value["consistency"]),
  };
  checkNames(read, document, say);
  return read;
}

export const NO_RELATIONS: Relations = {
  lists: {},
  values: {},
  rules: [],
  requirements: new Map(),
  safe: [],
  ignore: [],
  isOpen: false,
  isEmptyOk: false,
  consistencyMs: undefined,
};

/** Parses `300ms` or `5s`. */
function toMs(written: unknown): number | undefined {
  const [, count, unit] = /^(\d+)(m?s)$/.exec(String(written)) ?? [];
  return count === undefined ? undefined : Number(count) * (unit === "s" ? 1_000 : 1);
}

function toLists(written: unknown): Relations["lists"] {
  return Object.fromEntries(
    Object.entries(isObject(written) ? written : {}).map(([id, list]) => {
      const { items, key, open } = isObject(list) ? list : {};
      if (list === "none") return [id, list];
      return [
        id,
        {
          ...(typeof items === "string" && { items }),
          ...(key !== undefined && { key: listOf(key).map(String) }),
          ...(isObject(open) && { open }),
        },
      ];
    }),
  );
}

/** The schema has validated the fields: this only converts single names to lists. */
export function toRule(kind: string, fields: JsonObject, place: FilePlace): Rule {
  const known = isKind(kind) ? fieldsOf(kind) : {};
  const values = Object.entries(fields).map(([key, value]) => [
    key,
    known[key]?.isList === true ? listOf(value) : value,
  ]);
  return { of: [], ...Object.fromEntries(values), kind, place } as Rule;
}

/** Wrapper keywords whose inner faults are more specific. */
const UNTOLD: ReadonlySet<string> = new Set(["oneOf", "if", "minProperties"]);

function sayError(
  { keyword, instancePath, params, message }: ErrorObject,
  value: JsonObject,
  say: Say,
): void {
  if (UNTOLD.has(keyword)) return;
  const keys = instancePath
    .split("/")
    .slice(1)
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const extra: unknown = params["additionalProperty"];
  if (typeof extra === "string")
    return say(
      [...keys, extra],
      `"${extra}" is unknown here.${toSuggestion(extra, namesAt(keys))}`,
    );
  const missing: unknown = params["missingProperty"];
  if (typeof missing === "string" && keys.length === 0)
    return say([], 'a relations file begins with relations: "1"');
  if (typeof missing === "string") return say(keys, `${String(keys.at(-1))} needs ${missing}.`);
  const choices: unknown = params["allowedValues"];
  const found = keys.reduce<unknown>(
    (inner, key) => (isObject(inner) || Array.isArray(inner) ? Reflect.get(inner, key) : undefined),
    value,
  );
  if (Array.isArray(choices))
    return say(
      keys,
      `${keys.at(-1)} is one of ${choices.join(", ")}, not ${String(found)}.${toSuggestion(String(found), choices.map(String))}`,
    );
  return say(keys, `${keys.join("/")} ${message ?? "is wrong"}`);
}

function namesAt(keys: readonly (string | number)[]): readonly string[] {
  const [first, , kind] = keys;
  if (first === "rules" && typeof kind === "string" && isKind(kind))
    return Object.keys(fieldsOf(kind));
  if (first === "rules") return KINDS;
  return first === "lists"
    ? ["items", "key", "open"]
    : ["relations", "lists", "values", "rules", "requirements", "safe", "ignore"].concat(
        "world",
        "empty",
        "consistency",
      );
}
