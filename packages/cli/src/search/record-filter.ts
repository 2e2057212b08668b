// The filters of a search, compared with a record at hand as a service compares them (D08).
import { toJudge } from "@call-media/conditions";
import type { CallRecord } from "@call-media/client";

export type Predicate = (record: CallRecord) => boolean;

/** Days, both included; undefined: as far as the records go. */
interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** `toDay`: the day of a record, undefined where it has none. */
export function toDayTest(
  { from, to }: Days,
  toDay: (record: CallRecord) => string | null,
): Predicate {
  if (from === undefined && to === undefined) return () => true;
  return (record) => {
    const day = toDay(record);
    return day !== null && day >= (from ?? day) && day <= (to ?? day);
  };
}

export function toFilterTest(filter: Readonly<Record<string, unknown>>): Predicate {
  const tests = Object.entries(filter).map(([field, value]) =>
    toJudge({
      field,
      comparison: "==",
      value: typeof value === "number" ? value : String(value),
    }),
  );
  return (record) => tests.every((isMet) => isMet(record, undefined));
}
