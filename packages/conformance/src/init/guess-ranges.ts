// Guesses of ranges: two parameters that bound a field of moments or numbers.
import {
  type Asked,
  type Choice,
  firstOf,
  type Guess,
  isNear,
  type Known,
  listAsked,
  listFields,
} from "./known.ts";

const LOW = /^(?:since|from|start|min|after|gte?|begin)$/i;
const HIGH = /^(?:until|to|end|max|before|lte?)$/i;

interface Bound extends Asked {
  readonly isLow: boolean;
  /** The name without the word that marks it as a bound. */
  readonly stem: string;
}

/** `created_after` and `created_before`, `minPrice`, `from` and `to`: bounds of a field of moments or numbers. */
export function* guessRanges(known: Known): Generator<Choice> {
  const of = known.operation.id;
  const bounds = listAsked(known)
    .filter(({ by }) => !known.paged.has(by))
    .flatMap((one) => toBound(one) ?? []);
  const fields = [...listFields(known)].filter(
    ([name, type]) => type === "number" || isMoment(known, name),
  );
  if (known.rows.length === 0) return;
  for (const [stem, group] of Map.groupBy(bounds, (one) => one.stem)) {
    const from = group.find(({ isLow }) => isLow)?.by;
    const to = group.find(({ isLow }) => !isLow)?.by;
    const near = fields.filter(([name]) => stem !== "" && isNear(stem, name));
    const wide = near.length > 0 ? near : fields.filter(([name]) => isMoment(known, name));
    const guesses = wide.slice(0, 3).flatMap(([field]) =>
      ["closed", "half-open"].map((ends): Guess => ({
        kind: "range",
        fields: {
          of,
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
          field,
          unit: unitOf(known, field, group[0]),
          ends,
        },
      })),
    );
    if (guesses.length > 0) yield guesses;
  }
}

/** Recognises a bound by a word in its name, such as `since` or `max`. */
export function toBound(asked: Asked): Bound | undefined {
  const words = asked.name.split(/[_.\-[\]]+|(?<=[a-z])(?=[A-Z])/).filter(Boolean);
  const word = words.find((one) => LOW.test(one) || HIGH.test(one));
  if (word === undefined) return undefined;
  const stem = words.filter((one) => one !== word && !/^(?:date|time)$/i.test(one)).join("_");
  return { ...asked, isLow: LOW.test(word), stem };
}

const isMoment = (known: Known, field: string): boolean =>
  /^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(String(firstOf(known, field)));

function unitOf(known: Known, field: string, asked: Asked | undefined): string {
  const format = asked && known.document.schemas.view(asked.schema).said["format"];
  if (typeof firstOf(known, field) === "number") return "number";
  return format === "date" || !/[T ]/.test(String(firstOf(known, field))) ? "day" : "instant";
}
