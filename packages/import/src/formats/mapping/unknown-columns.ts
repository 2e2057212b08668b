// Judges columns with names that say nothing, where another column may be meant.
import { type Doubt, type FieldFault, toFieldDoubts } from "../../doubts/doubt.ts";
import { hasKind, mayBe, NUMBERS } from "./column-kinds.ts";
import { mayBeOf, rateAll, type RateName } from "./field-names.ts";
import type { Reading, SampleColumn, SampleColumns } from "./sample-columns.ts";

const UNKNOWN = {
  name: "columns",
  effect: "warn",
  text: "nothing shows that a column or member has what the mapping reads from it: its name says nothing of the field",
  advice: "Look at the values. A sample that expects the field proves it",
} as const;

/** `alternatives`: each alternative of the fields by itself. */
export const judgeUnknown = (
  alternatives: readonly Reading[],
  sample: SampleColumns,
  rate: RateName,
): readonly Doubt[] => toFieldDoubts(listUnknown(alternatives, sample, rate), UNKNOWN);

/** Alternatives with unknown names, if another column with an unknown name may hold the field. */
function listUnknown(
  alternatives: readonly Reading[],
  sample: SampleColumns,
  rate: RateName,
): readonly FieldFault[] {
  const nameless = sample
    .list()
    .filter(({ name, values }) => rateAll(name).size === 0 && values.size > 0);
  return alternatives
    .filter(({ field, columns }) =>
      columns.every(
        ({ name }) => mayBeOf(field) && rate(field, name) === 0 && rateAll(name).size === 0,
      ),
    )
    .filter((one) => nameless.some((other) => !one.columns.includes(other) && hasKind(one, other)))
    .map(({ field, columns }) => ({ field, text: columns.map(toSaidText).join(", ") }));
}

const SAID = 2;
const SAID_LENGTH = 40;

function toSaidText({ name, values }: SampleColumn): string {
  const texts = [...new Set(values.values())].slice(0, SAID);
  const said = texts.map((text) => JSON.stringify(text.slice(0, SAID_LENGTH).toWellFormed()));
  return `{${name}}${said.length === 0 ? "" : `, such as ${said.join(" and ")}`}`;
}

// They may be anything.
const LENIENT = new Set(["notes", "disposition_notes"]);
/** Unread columns with a fitting name, for fields that read a name without meaning, or words for a number. */
export const listWeak = (
  judged: readonly { readonly one: Reading; readonly rival: SampleColumn | undefined }[],
  unread: readonly SampleColumn[],
  rate: RateName,
) =>
  judged
    .filter(({ one, rival }) => rival === undefined && tellsNothing(one, rate))
    .map(({ one }) => ({
      one,
      rival: unread.find(
        (column) => rate(one.field, column.name) > 0 && mayBe(one, column) && hasKind(one, column),
      ),
    }));

function tellsNothing({ field, first, rules }: Reading, rate: RateName): boolean {
  const isPlain = rules.every(({ when, plus }) => when.length === 0 && plus.length === 0);
  const areWords = ({ values }: SampleColumn) =>
    [...values.values()].every((text) => !/[\p{N}@]/u.test(text));
  const tells = ({ name }: SampleColumn) => rate(field, name) > 0 || rateAll(name).size > 0;
  if (!isPlain || LENIENT.has(field)) return false;
  return !first.some(tells) || (NUMBERS.has(field) && first.every(areWords));
}
