// Values of records as programs count with them, where services write them in more than one way.

/** A datetime of a record. */
export interface Datetime {
  /** As the record has it. */
  readonly raw: string;
  /** The moment, where the text says which: it has an offset or Z (D03). */
  readonly instant: Date | undefined;
  /** Whether the text has an offset. Without one it is in the time zone of the archive. */
  readonly zoneKnown: boolean;
}

// ISO 8601, to the minute or finer; some services write a space for the T.
const DATETIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?$/i;

/** Undefined where there is no text. Text that is no datetime has neither instant nor zone. */
export function toDatetime(raw: string | null | undefined): Datetime | undefined {
  if (raw === null || raw === undefined) return undefined;
  const [, day, time, zone] = DATETIME.exec(raw) ?? [];
  if (zone === undefined) return { raw, instant: undefined, zoneKnown: false };
  const instant = new Date(
    `${day}T${time}${zone.toUpperCase().replace(/(\d\d):?(\d\d)/, "$1:$2")}`,
  );
  const isMoment = !Number.isNaN(instant.getTime());
  return { raw, instant: isMoment ? instant : undefined, zoneKnown: isMoment };
}

/** handle_time or talk_time in seconds; some services write the integer as text (D02). Undefined for all else. */
export function toSeconds(value: unknown): number | undefined {
  const isNumber = typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value));
  return isNumber && Number.isSafeInteger(Number(value)) ? Number(value) : undefined;
}
