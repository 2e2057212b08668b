// The names that a mapping reads from its rows, and what is said of those that are not there.
import { closestMatch } from "leven";
import { listNamesOf, listRules, type Mapping } from "./mapping.ts";
import { toSteps } from "./names.ts";

/** A name that a mapping reads from its rows. */
export interface Use {
  readonly name: string;
  readonly key: string;
  /** Its path from the record, with `*` for the elements of a rule. */
  readonly steps: readonly string[];
  /** The join whose records have it; undefined of those that are calls. */
  readonly join: string | undefined;
}

/** Names of columns and members; those of files and of named values are none. */
export function listUses(mapping: Mapping): readonly Use[] {
  const uses = new Map<string, Use>();
  for (const rule of listRules(mapping))
    for (const { key, name } of listNamesOf(rule)) {
      const [first = "", ...rest] = toSteps(name);
      if (mapping.joins.has(first)) {
        uses.set(name, { name, key, steps: rest, join: first });
        continue;
      }
      const element = mapping.lets.get(first)?.find(({ isElement }) => isElement);
      const isInside = first === "$each" || (element !== undefined && rest.length > 0);
      if (!isInside && (first.startsWith("$") || mapping.lets.has(first))) continue;
      const holder = first === "$each" ? rule : element;
      const path = toSteps(holder?.of ?? holder?.each ?? "");
      const steps = isInside ? [...path, ...rest] : [first, ...rest];
      uses.set(isInside ? steps.join(".") : name, { name, key, steps, join: undefined });
    }
  for (const [join, { key: values }] of mapping.joins)
    for (const { key, name } of values.flat().flatMap(listNamesOf))
      uses.set(`${join}.${name}`, { name: `${join}.${name}`, key, steps: toSteps(name), join });
  return [...uses.values()];
}

export const LOOK_FOR_OTHERS =
  "Nothing has to be done if the export never had them; if another name has the value now, a mapping (--map) can name it";

export const toOptional = (names: readonly string[]) =>
  `list those that other files have: "optional": ${JSON.stringify(names)}`;

/** The one of these names that differs in a letter or two. */
export const findNear = (name: string, known: readonly string[]) =>
  closestMatch(name, [...known], { maxDistance: Math.min(2, name.length >> 1) });
