// Datetimes of a source whose time zone may differ from the archive's (D03).
import { parseSourceTime, withOffset } from "@call-media/store/values";
import { RowFault } from "../source-row.ts";

export interface Clock {
  /** The text unchanged, with the source's offset appended if the archive would read it otherwise. */
  keep(field: string, text: string): string;
  /** The text in the form of RFC 3339, always with an offset (D28). */
  complete(field: string, text: string): string;
  /** In ms since 1970. */
  toInstantMs(field: string, text: string): number;
  /** True if a time that was read since the last call is one that the source's clocks showed twice. */
  takeRepeated(): boolean;
}

/** Every method throws `RowFault`, naming `field`, for text that is not a datetime. */
export function createClock(sourceZone: string, archiveZone: string): Clock {
  let hasRepeated = false;
  const parse = (field: string, text: string) => {
    const parsed = parseSourceTime(text, sourceZone);
    if (typeof parsed === "string") throw new RowFault(`${field}: ${parsed}`);
    hasRepeated ||= parsed.isRepeated;
    return parsed;
  };
  return {
    keep: (field, text) => {
      const { hasOffset, instantMs } = parse(field, text);
      return hasOffset || sourceZone === archiveZone ? text : withOffset(text, instantMs);
    },
    complete: (field, text) => {
      const { hasOffset, instantMs } = parse(field, text);
      return toRfc3339(hasOffset ? text : withOffset(text, instantMs));
    },
    toInstantMs: (field, text) => parse(field, text).instantMs,
    takeRepeated: () => {
      const taken = hasRepeated;
      hasRepeated = false;
      return taken;
    },
  };
}

const PARTS = /^(.{10})[Tt ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))? ?(?:([+-]\d\d):?(\d\d)?|[Zz])$/;

// Takes text that `parseDatetime` has read and that has an offset: only its form can differ.
function toRfc3339(text: string): string {
  const [, date, time, seconds = ":00", fraction, hours, minutes = "00"] = PARTS.exec(text) ?? [];
  const offset = hours === undefined ? "Z" : `${hours}:${minutes}`;
  return `${date}T${time}${seconds}${fraction === undefined ? "" : `.${fraction}`}${offset}`;
}
