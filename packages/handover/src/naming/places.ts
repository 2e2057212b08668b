// The files that the records of an export should have, and the places of these when its days are known.
import { type Days, toFolderDay } from "../export/days.ts";
import { RECORDINGS, TRANSCRIPTS } from "../export/layout.ts";
import { type Item, listItems } from "../export/manifest.ts";
import { createDayNames, type DayNames, type Leg, type NamingOptions } from "./day-names.ts";

/** The files of a record. */
export interface Place {
  readonly items: readonly Item[];
  /** True for the first record of the call on its day: the chat goes with that one. */
  readonly isFirst: boolean;
  /** Path within the export. `extension`: with its dot. */
  readonly toPath: (item: Item, extension: string) => string;
}

const FOLDERS = { recording: RECORDINGS, transcript: TRANSCRIPTS } as const;

const NAMELESS = { stems: { recording: [], transcript: [] }, isFirst: false };

/**
 * Places records in the order of their search: the same order gives the same places. It remembers every name. `index`: of
 * the record, as its items have it.
 */
export function createPlaces(
  days: Days,
  options: NamingOptions,
): (leg: Leg, index: number) => Place {
  const names = new Map<string, DayNames>();
  return (leg, index) => {
    const items = listItems(options.files, { index, parts: leg.parts });
    const day = toFolderDay(leg.record, days);
    const ofDay = names.get(day) ?? createDayNames(options);
    names.set(day, ofDay);
    const { stems, isFirst } = items.length > 0 ? ofDay.place(leg) : NAMELESS;
    return {
      items,
      isFirst,
      toPath: ({ kind, part }, extension) =>
        `${FOLDERS[kind]}/${day}/${stems[kind][part - 1] ?? ""}${extension}`,
    };
  };
}
