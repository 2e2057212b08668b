// Tests whether the id of a call matches the start in its record. Days are searched by id, and ids determine the order.
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
