// A row of the access log whose writer has not compared the log with its note, as an open archive does.
import { recordNoted } from "../../media/head-note.ts";
import { appendEntry, type Head, toNotedLog } from "../access-log.ts";
import { type Archive, toLogId } from "../archive.ts";

/** `entry`: JSON. Throws `ArchiveError` if the log lacks the noted row: a new one would get the number of a lost one. */
export const appendNoted = async (
  { write, media, settings }: Archive,
  entry: string,
): Promise<Head> =>
  await recordNoted(media, toNotedLog(write.ask, toLogId(settings)), () =>
    write.transact((one) => appendEntry(one, entry)),
  );
