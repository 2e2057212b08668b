// Times of which nothing says the time zone: read in a wrong one, every call moves by hours.
import { parseDatetime } from "@call-media/store/values";
import { createTally, type JudgedRecord, type Doubt, toValueText } from "./doubt.ts";

export function createZoneProbe() {
  const zoneless = createTally();
  return {
    see: (record: JudgedRecord): void => {
      const { datetime } = record.entry;
      const parsed = typeof datetime === "string" ? parseDatetime(datetime.trim(), "UTC") : "";
      if (typeof parsed !== "string" && !parsed.hasOffset)
        zoneless.add(record, toValueText("datetime", datetime));
    },
    judge: (): Doubt[] =>
      zoneless.toDoubts({
        name: "zone",
        effect: "stop",
        text: "the time has no offset, and nothing says in which time zone it is: the archive is a new one",
        advice:
          'Give the time zone that the export was written in, as --timezone Europe/London or --timezone UTC, or in the mapping beside the format, as "zone": "UTC"; the archive keeps it. Without one it is UTC',
      }),
  };
}
