// From a row of a source to what the store writes: entries checked, recordings taken in, or the reason why not.
import { type ArchiveItem, type CallStore, MediaRejected } from "../call-store.ts";
import { createClock } from "./entry/clock.ts";
import { takeRecordings } from "./entry/media-entry.ts";
import { createEntryParser, type ParsedEntry } from "./entry/parse-entry.ts";
import type { ReadOptions } from "./import-options.ts";
import { createMediaFolder } from "./media-folder.ts";
import { RowFault, type SourceRow } from "./source-row.ts";

export interface PreparedRow {
  readonly file: string;
  readonly line: number;
  readonly raw: string;
  readonly notice?: string | undefined;
  readonly content: { readonly items: readonly ArchiveItem[] } | { readonly rejected: string };
}

type Options = Pick<ReadOptions, "timeZone" | "isLinked">;

export function createRowPreparer(store: CallStore, { timeZone, isLinked = false }: Options) {
  const parse = createEntryParser(createClock(timeZone, store.timeZone));

  return (file: string, mediaDirectory: string) => {
    const folder = createMediaFolder(mediaDirectory);
    const complete = async ({ item, media }: ParsedEntry): Promise<ArchiveItem> =>
      item.kind === "call"
        ? {
            ...item,
            recordings: await takeRecordings(media, { from: folder, to: store.media, isLinked }),
          }
        : item;

    return async (row: SourceRow): Promise<PreparedRow> => {
      const { line, raw } = row;
      if ("reason" in row) return { file, line, raw, content: { rejected: row.reason } };
      try {
        const parsed = row.entries.map(parse);
        const items = parsed.some(({ media }) => media.length > 0)
          ? await Promise.all(parsed.map(complete))
          : parsed.map(({ item }) => item);
        return { file, line, raw, notice: row.notice, content: { items } };
      } catch (error) {
        if (error instanceof RowFault || error instanceof MediaRejected)
          return { file, line, raw, content: { rejected: error.message } };
        throw error;
      }
    };
  };
}
