// Finds columns that fit a field better than those that it reads.
import { IDS, mayBe } from "./column-kinds.ts";
import { isLonger } from "./column-values.ts";
import { isNamed, rateAll, type RateName, USUAL, WEAK } from "./field-names.ts";
import type { Reading, SampleColumn } from "./sample-columns.ts";

const OWN_ID = /^(?:(?:u|s|gu|uu)?id)$/i;

/** The columns that fit the field better, the best first. */
export function listRivals(
  reading: Reading,
  candidates: readonly SampleColumn[],
  rate: RateName,
): readonly SampleColumn[] {
  const { field, first, columns, rules } = reading;
  // Sums are made of columns of other names.
  if (rules[0]?.plus.length !== 0) return [];
  const rated = first.map(({ name }) => rate(field, name));
  // A date with the time of the end is the end.
  const own = field === "datetime" ? Math.min(...rated) : Math.max(...rated);
  const least = toLeast(reading, own);
  const isAlien = own === 0 && first.every(({ name }) => rateAll(name).size > 0);
  const isFull = first.every(
    ({ values }) => values.size === Math.max(...candidates.map((one) => one.values.size)),
  );
  // A record with an identifier of its own may belong to a conversation, which has another.
  const isOwn = field === "call_id" && first.every(({ name }) => OWN_ID.test(name));
  const others = candidates
    .filter(({ name }) => !isOwn || rate("session_id", name) < USUAL)
    // A member of an array may belong to another element, unless the field reads an array itself.
    .filter((one) => !one.name.includes("*") || first.every(({ name }) => name.includes("*")))
    .filter((one) => !first.includes(one))
    // A later alternative of the field may be the better one, and needs to be where it is read at times.
    .filter((one) => isAlien || isFull || !columns.includes(one))
    .map((column) => ({ column, level: rate(field, column.name) }))
    .filter(
      ({ column, level }) => level > own && level >= (columns.includes(column) ? USUAL : least),
    )
    .toSorted((one, other) => other.level - one.level);
  return others.map(({ column }) => column).filter((column) => mayBe(reading, column));
}

interface Judged {
  readonly one: Reading;
  readonly rival: SampleColumn;
  readonly all: readonly Reading[];
  readonly rate: RateName;
}

/**
 * A better name is one sign of two: a `Skill Group` may be something else. The other sign is that the column has the name of another
 * field, or the better one is read for another field, or the values.
 */
export function isWrong({ one: { field, first }, rival, all, rate }: Judged): boolean {
  const alien = first.filter(({ name }) => rate(field, name) === 0);
  const isOther = ({ name }: SampleColumn) =>
    (IDS.has(field) ? [...rateAll(name).keys()] : listBest(name)).some(
      (best) => !isLike(field, best),
    );
  if (alien.length > 0 && alien.every(isOther)) return true;
  // A record has its own identifier, and may have that of a conversation.
  const isOwn = field === "call_id" && first.every(({ name }) => rate(field, name) >= USUAL);
  const isMisread = all.some((other) => {
    if (!isNamed(other.field) || !other.columns.includes(rival)) return false;
    if (isOwn && (IDS.has(other.field) || other.field === "ref_id")) return false;
    const level = rate(other.field, rival.name);
    const mine = Math.max(...first.map(({ name }) => rate(other.field, name)));
    return level === 0 || mine > level || (mine === level && level >= USUAL);
  });
  return isMisread || (field === "talk_time" && isLonger(first, [rival]));
}

// The answer may be taken as the time of a call.
const isLike = (field: string, name: string) => field === "datetime" && name === "the answer";

/** A weak name is better than columns with the names of other fields. */
function toLeast({ rules, first }: Reading, own: number): number {
  const areOthers = first.every(({ name }) => rateAll(name).size > 0);
  const isPlain = rules.every(({ when }) => when.length === 0);
  return own === 0 && areOthers && isPlain ? WEAK : USUAL;
}

export const listBest = (name: string) =>
  [...rateAll(name)].flatMap(([field, level]) => (level >= USUAL ? [field] : []));
