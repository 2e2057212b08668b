// Checks that the names in relations exist in the document: operations, parameters, and fields of rows.
import type { ApiDocument, Operation } from "../document/document.ts";
import { isJson } from "../document/document.ts";
import { listOf } from "../document/schemas.ts";
import { headerOf } from "../values/places.ts";
import { isNumbered, toNext } from "../values/pages.ts";
import { fieldsOf, type Rule, type RuleOf } from "./kinds.ts";
import { toSuggestion } from "./nearest.ts";
import type { Relations } from "./relations.ts";

type Say = (keys: readonly (string | number)[], fault: string) => void;

export function checkNames(
  { rules, lists, values, safe, requirements }: Relations,
  document: ApiDocument,
  say: Say,
): void {
  const { operations } = document;
  const sayOperation = (id: string, keys: readonly (string | number)[]): boolean => {
    if (operations.has(id)) return true;
    say(keys, `no operation "${id}" in the document.${toSuggestion(id, [...operations.keys()])}`);
    return false;
  };
  for (const id of Object.keys(lists)) sayOperation(id, ["lists", id]);
  for (const [parameter, source] of Object.entries(values)) {
    if (typeof source === "string")
      sayOperation(source.split("#", 1).join(""), ["values", parameter]);
    const fault = findTakerFault(parameter, document);
    if (fault !== undefined) say(["values", parameter], fault);
  }
  for (const id of safe) sayOperation(id, ["safe"]);
  const required = [...requirements.values()].flatMap((one) => one.operations);
  for (const id of new Set(required)) sayOperation(id, ["requirements"]);
  for (const [index, rule] of rules.entries()) {
    const at = ["rules", index, rule.kind];
    if (rule.of.length === 0) say(at, `${rule.kind} needs of: the operations it is about.`);
    for (const [key, { means }] of Object.entries(fieldsOf(rule.kind))) {
      const named = listOf(Reflect.get(rule, key)).filter((one) => typeof one === "string");
      if (means === "operation") for (const id of named) sayOperation(id, [...at, key]);
      if (means === "parameter" || means === "row")
        for (const name of named)
          for (const fault of findNameFaults(rule, { name, means }, document))
            say([...at, key], fault);
    }
    if (
      rule.kind === "perCaller" &&
      rule.between === "covered" &&
      (rule.rights === undefined || rule.cover === undefined)
    )
      say(at, 'perCaller "covered" needs rights and cover.');
    if (rule.kind === "page")
      for (const { key, fault } of listPageFaults(rule)) say([...at, ...key], fault);
  }
}

/** Fields by which no page can be requested. */
function* listPageFaults(
  rule: RuleOf<"page">,
): Generator<{ readonly key: readonly string[]; readonly fault: string }> {
  const { next, cursor } = rule;
  const { at, last, more } = toNext(rule);
  if (!isNumbered(rule) && at === undefined && last === undefined)
    yield { key: [], fault: "page needs index, range or next." };
  if (next !== undefined && [at, more].some((place) => place?.split("/").includes("*")))
    yield {
      key: ["next"],
      fault: "next is one place beside the rows. For a key of the last row say next: { last: id }.",
    };
  if (last !== undefined && (cursor === undefined || at !== undefined))
    yield {
      key: ["next"],
      fault: "next: { last: ... } needs cursor, the parameter that takes that key, and no at.",
    };
}

/** `getUser.id` and `/users/{id}.id`. A plain name may have dots, too. */
function findTakerFault(written: string, { operations }: ApiDocument): string | undefined {
  const all = [...operations.values()];
  const isName = all.some(({ parameters }) => parameters.some(({ name }) => name === written));
  if (!written.includes(".") || isName) return undefined;
  const takers = all.flatMap(({ id, path }) => [id, path]);
  if (takers.some((taker) => written.startsWith(`${taker}.`))) return undefined;
  const taker = written.replace(/\.[^.]*$/, "");
  return `no operation "${taker}" in the document.${toSuggestion(taker, takers)}`;
}

interface Named {
  readonly name: string;
  readonly means: "parameter" | "row";
}

function* findNameFaults(
  rule: Rule,
  { name, means }: Named,
  document: ApiDocument,
): Generator<string> {
  for (const id of rule.of) {
    const operation = document.operations.get(id);
    if (operation === undefined) continue;
    const known =
      means === "parameter"
        ? parametersOf(document, operation)
        : [...fieldsBelow(document, operation)];
    const wanted = means === "parameter" ? name : lastName(name);
    if (
      wanted === undefined ||
      known.length === 0 ||
      known.includes(wanted) ||
      headerOf(name) !== undefined ||
      name.endsWith("*")
    )
      continue;
    if (means === "parameter")
      yield `${id} has no parameter "${name}".${toSuggestion(name, known)}`;
    else yield `${name} is in no schema of ${id}.${toSuggestion(wanted, known)}`;
  }
}

const lastName = (place: string): string | undefined =>
  place
    .replace(/^-/, "")
    .split("/")
    .findLast((key) => key !== "*" && key !== "");

function parametersOf({ schemas }: ApiDocument, { parameters, body }: Operation): string[] {
  const [media] = body?.media ?? [];
  const fields =
    media?.schema === undefined ? [] : [...schemas.view(media.schema).properties.keys()];
  return [...parameters.map(({ name }) => name), ...fields.map((name) => `body/${name}`)];
}

/** Names of all fields of the successes. Empty if any of them permits additional fields. */
function fieldsBelow({ schemas }: ApiDocument, { responses }: Operation): Set<string> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const visit = (pointer: string): void => {
    const view = schemas.view(pointer);
    if (seen.has(view.pointer)) return;
    seen.add(view.pointer);
    for (const [name, inner] of view.properties) {
      names.add(name);
      visit(inner);
    }
    for (const inner of [...view.choices, ...(view.items === undefined ? [] : [view.items])])
      visit(inner);
  };
  for (const { status, media } of responses)
    if (status.startsWith("2"))
      for (const { type, schema } of media) if (schema !== undefined && isJson(type)) visit(schema);
  return names;
}
