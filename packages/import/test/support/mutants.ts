// Mistakes in a mapping: each name, path, pattern and unit of it once misspelt or exchanged.

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface Mutant {
  /** Where, and what is there instead. */
  readonly what: string;
  readonly mapping: Readonly<Record<string, unknown>>;
}

// What tells people of the mapping, its samples, and what no record shows.
const BESIDES = new Set(["$schema", "mapping", "name", "title", "hint", "see", "samples", "legs"]);

const UNITS = ["ms", "s", "min", "h"];

export function listMutants(mapping: Readonly<Record<string, unknown>>): readonly Mutant[] {
  return Object.entries(mapping)
    .filter(([key]) => !BESIDES.has(key))
    .flatMap(([key, value]) =>
      change(value as Json, [key]).map(({ what, value: changed }) => ({
        what,
        mapping: { ...mapping, [key]: changed },
      })),
    );
}

interface Change {
  readonly what: string;
  readonly value: Json;
}

function change(value: Json, path: readonly string[]): readonly Change[] {
  const at = path.join(".");
  if (typeof value === "string")
    return changeText(value, path).map((text) => ({ what: `${at}: ${text}`, value: text }));
  if (value === true) return [{ what: `${at}: null`, value: null }];
  if (value === null && path.at(-1) !== "when") return [{ what: `${at}: true`, value: true }];
  if (isList(value))
    return value.flatMap((one, index) =>
      change(one, [...path, String(index)]).map((changed) => ({
        ...changed,
        value: value.with(index, changed.value),
      })),
    );
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const inside = change(inner, [...path, key]).map((changed) => ({
      ...changed,
      value: { ...value, [key]: changed.value },
    }));
    // The keys of conditions and of tables of values are written by hand as well.
    if (path.at(-1) !== "when" && path.at(-1) !== "values") return inside;
    const { [key]: _, ...others } = value;
    const renamed = changeText(key, [...path, key]).map((other) => ({
      what: `${at}: ${other}`,
      value: { ...others, [other]: inner },
    }));
    return [...inside, ...renamed];
  });
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

function changeText(text: string, path: readonly string[]): readonly string[] {
  const key = path.at(-1) ?? "";
  if (key === "unit") return UNITS.filter((unit) => unit !== text);
  if (key === "row") return ["first", "last", "all"].filter((row) => row !== text);
  if (key === "match") return [`x${text.replace(/^\^/, "")}`];
  // The text of a named value that is there or not.
  if (key === "decode" || text === "yes") return [];
  const names = [...text.matchAll(/\{([^{}]+)\}/g)].map(
    ([whole, name = ""]) => text.replace(whole, `{${misspell(name)}}`), // the first of two equal ones
  );
  if (names.length > 0) return names;
  if (key === "format" && /[dM]/.test(text))
    return [text.replace(/[dM]/g, (letter) => (letter === "d" ? "M" : "d")), `${text}.`];
  return [misspell(text)];
}

/** A letter too many; in a path in its first part or in its last. */
const misspell = (name: string) => `${name.slice(0, 1)}q${name.slice(1)}`;
