// Whether a call lies where its record says that it began: by its id it is found in days, and ordered.
import type { MetadataRecord } from "../port/index.ts";
import { parseDatetime } from "./instant.ts";
import { toInstantMs } from "./order-key.ts";

/** `timeZone`: of the archive. */
export function createMomentTest(timeZone: string) {
  return (id: bigint, { datetime }: Pick<MetadataRecord, "datetime">): boolean => {
    const parsed = datetime === null ? undefined : parseDatetime(datetime, timeZone);
    return toInstantMs(id) === (typeof parsed === "object" ? parsed.instantMs : undefined);
  };
}
