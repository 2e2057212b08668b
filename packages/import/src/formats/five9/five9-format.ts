// Five9: what its call logs need beside their mapping file. A row is a leg of a call.
import { parse } from "node:path";
import type { ReadOptions, Entry, RecordContext } from "../format.ts";
import type { Finish, TableAdditions } from "../table-format.ts";
import { type ArchivedLeg, createFindArchived } from "./archived-leg.ts";
import { createRecordingFinder, type FoundRecordings } from "./recording-finder.ts";

/** The additions to its mapping file: the recordings that are found by their names. */
export const five9Additions: TableAdditions = { takes: ["filenameTemplate"], createFinish };

/** Where a Five9 domain is hosted settles the time zone of its reports. */
export const FIVE9_REGIONS = {
  US: "America/Los_Angeles",
  CA: "America/Vancouver",
  UK: "Europe/London",
  DE: "Europe/Berlin",
} as const;

function createFinish(options: ReadOptions): (context: RecordContext) => Finish {
  const { filenameTemplate, openArchive, timeZone } = options;
  const find = filenameTemplate === undefined ? undefined : createRecordingFinder(filenameTemplate);
  const findArchived = createFindArchived(openArchive, timeZone);
  return ({ directory }) => {
    const findRecordings = find?.(directory);
    return async (known, row) => {
      const archived = await findArchived(known);
      const found = await findRecordings?.(row, String(known["datetime"]));
      return toWhole(known, found, archived);
    };
  };
}

// RECORDINGS says when they began, not what they are called. A file that has come in another form takes the place of the one
// that the archive has.
function toWhole(
  known: Entry,
  found: FoundRecordings | undefined,
  archived: ArchivedLeg | undefined,
): Entry {
  const { media = [], fields = {} } = found ?? {};
  const stems = new Set(media.map(({ file }) => parse(file).name));
  const kept = (archived?.names ?? []).filter((name) => !stems.has(parse(name).name));
  const hasRecordings = media.length + kept.length > 0;
  return {
    ...fields,
    ...(kept.length > 0 && archived?.fields),
    ...known,
    ...(media.length > 0 && { media }),
    ...(hasRecordings && { recordings: kept.length > 0 ? kept.join("; ") : undefined }),
  };
}
