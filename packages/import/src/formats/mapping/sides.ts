// Tells if names and words of a mapping, or its samples, say whose number is which and the direction of calls.
import type { Sides } from "../../doubts/doubt.ts";
import { listPaths } from "./readings.ts";
import { rateAll } from "./field-names.ts";
import type { Mapping } from "./mapping.ts";
import { findMeaning, findMeaningIn, listPairs } from "./meanings.ts";

/** A sample that expects a field is a person's word for it. */
export function findSides(mapping: Mapping): Sides {
  const coded = listCoded(mapping);
  return {
    areNumbersNamed: isNamed(mapping, "ani", "dnis") && isNamed(mapping, "dnis", "ani"),
    areNumbersSampled: ["ani", "dnis"].every((field) => mapping.expected.has(field)),
    isAgentSampled: mapping.expected.has("agent"),
    isDirectionSaid: coded.length === 0,
    codes: coded.filter(({ from }) => CODE.test(from)).map(toText),
  };
}

const CODE = /^(?:.{1,2}|\d+)$/u;

function isNamed(mapping: Mapping, field: string, other: string): boolean {
  if (mapping.expected.has(field)) return true;
  const rules = mapping.fields.find((one) => one.field === field)?.rules ?? [];
  const paths = listPaths(rules, mapping).map((path) => rateAll(path.join(".")));
  return (
    paths.length > 0 && paths.every((rated) => (rated.get(field) ?? 0) > (rated.get(other) ?? 0))
  );
}

/** Texts that become a direction, and say none. */
function listCoded(mapping: Mapping) {
  if (mapping.expected.has("call_type")) return [];
  const rules = mapping.fields.find(({ field }) => field === "call_type")?.rules ?? [];
  return rules
    .flatMap((rule) => listPairs(rule, mapping))
    .filter(({ to }) => findMeaning(to)?.family === 0)
    .filter(({ name, from }) => from !== "*" && findMeaningIn(name, from) === undefined);
}

const toText = ({ from, to }: { readonly from: string; readonly to: string }) =>
  `call_type: "${from}" becomes "${to}"`;
