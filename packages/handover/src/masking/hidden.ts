// Shows before a hand-over what its masks will hide: the number of places, and the fields that still repeat a masked value.
import type { CallRecord } from "@call-media/client";
import type { Field } from "../export/fields.ts";
import { MASK } from "./mask.ts";
import { createRedaction } from "./redaction.ts";

export interface Hidden {
  /** Masked values and masked repetitions. */
  readonly places: number;
  /** The first fields that still repeat a masked value, without times. */
  readonly left: readonly LeftValue[];
  /** The number of all of them. */
  readonly leftCount: number;
  /** The number of records whose time repeats a masked value; a time is never masked. */
  readonly timesLeft: number;
}

export interface LeftValue {
  readonly record: CallRecord;
  readonly field: Field;
}

const MOST_LEFT = 5;

/** `maskedFields`: all of them, with those that are masked along. */
export function previewHidden(
  records: readonly CallRecord[],
  maskedFields: readonly Field[],
): Hidden {
  const redaction = createRedaction(maskedFields);
  const legs = Map.groupBy(records, (record) => record.call_id ?? record);
  const left: LeftValue[] = [];
  let [places, leftCount, timesLeft] = [0, 0, 0];
  for (const record of records) {
    const masked = redaction.redact(record, legs.get(record.call_id ?? record));
    places += countPlaces(record, masked);
    const fields = redaction.listLeft(record, masked);
    if (fields.includes("datetime")) timesLeft++;
    const others = fields.filter((field) => field !== "datetime");
    leftCount += others.length;
    for (const field of others) if (left.length < MOST_LEFT) left.push({ record, field });
  }
  return { places, left, leftCount, timesLeft };
}

/** A masked number of seconds becomes null. */
function countPlaces(record: CallRecord, masked: CallRecord): number {
  const emptied = Object.entries(record).filter(
    ([field, value]) => value !== null && masked[field as Field] === null,
  );
  return emptied.length + countMasks(masked) - countMasks(record);
}

const countMasks = (record: CallRecord): number => JSON.stringify(record).split(MASK).length - 1;
