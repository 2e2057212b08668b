// Numbers what nothing else tells apart: legs of a call that began at the same moment, in one row or in a log of legs, and equal rows
// without an identifier. Three missed calls of one minute are three calls, and the same file brings the same three again.
import { hash } from "node:crypto";
import type { CallItem } from "@call-media/store";
import { toLegIdentity } from "@call-media/store/values";
import type { FitRow } from "../source-row.ts";
import type { Clock } from "./clock.ts";
import type { ParsedEntry } from "./parse-entry.ts";

// 48 bits are an integer of JavaScript, which takes less memory than a text. If two rows that differ share one, the second is given
// a number without need.
const DIGITS = 12;

type Called = ParsedEntry & { readonly item: CallItem };

const toKey = (values: readonly unknown[]) =>
  Number.parseInt(hash("sha256", JSON.stringify(values)).slice(0, DIGITS), 16);

const withIdentity = (entry: Called, identity: readonly string[]): Called => ({
  ...entry,
  item: { ...entry.item, identity },
});

/** Makes a function for the rows of one file, in their order. The second of equal ones has the identity "2", and so on. */
export function createRowNumbers(clock: Clock) {
  const seen = new Map<number, number>();
  const numberEqual = (entry: Called): Called => {
    const { item, media } = entry;
    const files = media.map(({ file, startMs }) => [file, startMs]);
    const key = toKey([item.record, item.sessionId, item.masterId, files]);
    const number = (seen.get(key) ?? 0) + 1;
    seen.set(key, number);
    return number === 1 ? entry : withIdentity(entry, [String(number)]);
  };
  const ofFile = createLegs();
  const toLeg = toLegKey(clock);
  return (entries: readonly ParsedEntry[], { raw, areLegs }: FitRow): readonly ParsedEntry[] => {
    if (!areLegs && entries.length === 1 && !isNameless(entries[0])) return entries;
    const legs = areLegs ? ofFile : createLegs();
    return entries.map((entry, index) => {
      if (!isPlain(entry)) return entry;
      if (entry.item.record.call_id === null) return numberEqual(entry);
      const { key, instantMs } = toLeg(entry);
      const number = legs(key, areLegs ? toKey([raw]) : index);
      return number === 1 ? entry : withIdentity(entry, toLegIdentity(instantMs, number));
    });
  };
}

const isPlain = (entry: ParsedEntry): entry is Called =>
  entry.item.kind === "call" && entry.item.identity === undefined;

const toLegKey =
  (clock: Clock) =>
  ({ item: { record } }: Called) => {
    const { call_id: callId, datetime } = record;
    const instantMs = datetime === null ? undefined : clock.toInstantMs("datetime", datetime);
    return { key: toKey([callId, instantMs]), instantMs };
  };

const isNameless = (entry: ParsedEntry | undefined) =>
  entry?.item.kind === "call" && entry.item.record.call_id === null;

// The legs of a call lie near each other in a log.
const MAX_LEGS = 100_000;

/** Makes a function that numbers what differs among the legs of a call that began at the same moment. */
function createLegs(): (leg: number, content: number) => number {
  const contents = new Map<number, number[]>();
  return (leg, content) => {
    const known = contents.get(leg) ?? [];
    if (!known.includes(content)) known.push(content);
    contents.set(leg, known);
    const [oldest] = contents.keys();
    if (contents.size > MAX_LEGS && oldest !== undefined) contents.delete(oldest);
    return known.indexOf(content) + 1;
  };
}
