// Times of which nothing says the time zone: read in a wrong one, every call moves by hours.
import { parseDatetime } from "@call-media/store/values";
import { createTally, type JudgedRecord, type Doubt, toValueText } from "./doubt.ts";

const MINUTE_MS = 60_000;
/** Zones differ by multiples of it: that of Nepal is +05:45. */
export const ZONE_STEP_MS = 15 * MINUTE_MS;
/** A larger distance has another reason than zones. */
export const FARTHEST_ZONE_MS = 14 * 60 * MINUTE_MS;

/**
 * What says in which time zone times without an offset are: `known`, something does; `unsaid`, nothing does; `unasked`, an
 * archive may, which nobody has opened.
 */
export type ZoneSource = "known" | "unsaid" | "unasked";

export function createZoneProbe(source: ZoneSource) {
  const zoneless = createTally();
  return {
    see: (record: JudgedRecord): void => {
      if (source === "known") return;
      const { datetime } = record.entry;
      const parsed = typeof datetime === "string" ? parseDatetime(datetime.trim(), "UTC") : "";
      if (typeof parsed !== "string" && !parsed.hasOffset)
        zoneless.add(record, toValueText("datetime", datetime));
    },
    judge: (): Doubt[] =>
      zoneless.toDoubts({
        name: "zone",
        effect: source === "unsaid" ? "stop" : "warn",
        text: `the time has no offset, and nothing says in which time zone it is: ${source === "unsaid" ? "the archive is a new one" : "it is read as UTC here; an archive that exists reads it in its own zone, and for a new one the import stops"}`,
        advice:
          'Give the time zone that the export was written in, as --timezone Europe/London or --timezone UTC, or in the mapping beside the format, as "zone": "UTC"; the archive keeps it. Without one it is UTC',
      }),
  };
}
