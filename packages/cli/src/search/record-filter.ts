// The filters of a search, compared with a record at hand as a service compares them (D08).
import type { CallRecord } from "@call-media/client";
import type { Predicate } from "./where/comparison.ts";

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
  const tests = Object.entries(filter).map(([field, value]) => {
    const isEqual = toValueTest(field, value);
    return (record: Readonly<Record<string, unknown>>) => isEqual(record[field] ?? "");
  });
  return (record) => tests.every((test) => test({ ...record }));
}

function toValueTest(field: string, wanted: unknown): (value: unknown) => boolean {
  if (typeof wanted === "number") return (value) => value !== "" && Number(value) === wanted;
  const text = String(wanted).trim();
  const digits = text.replaceAll(/\D/g, "");
  if (/^phone_number\d$/.test(field) && digits !== "")
    return (value) => String(value).replaceAll(/\D/g, "") === digits;
  // Flags i and u compare by simple case folding (ECMA-262, Canonicalize), as D08 does.
  const whole = new RegExp(`^${text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$`, "iu");
  return (value) => whole.test(String(value).trim());
}
