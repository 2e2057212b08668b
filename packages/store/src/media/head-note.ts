// The newest row of the access log, noted next to the recordings. The note survives when the records are rolled back to an older copy
// or changed by a person who can write to them.
import type { AccessLog, ChainHead } from "../port/access-log.ts";
import type { Finding } from "../port/finding.ts";
import type { MediaNotes } from "../port/media.ts";
import { ArchiveError, isFault } from "../port/faults.ts";
import { describeLoss } from "../values/access-chain.ts";

/** The part of the access log that the note needs. */
export type NotedLog = Pick<AccessLog, "id" | "find">;

export interface HeadNote {
  /** Undefined if the note is missing or unreadable. Throws `StoreFault`. */
  read(): Promise<ChainHead | undefined>;
  /** Throws `StoreFault`. */
  write(head: ChainHead): Promise<void>;
  /** Describes the rows that the log lacks, as the end of a sentence; undefined if it lacks none. */
  findLoss(noted: ChainHead | undefined): Promise<string | undefined>;
}

/** The place of the recordings. */
export interface NotedPlace {
  readonly notes?: MediaNotes | undefined;
}

/** Undefined if the place of the recordings does not support notes. */
export async function openHeadNote(
  { notes }: NotedPlace,
  log: NotedLog,
): Promise<HeadNote | undefined> {
  return notes && createHeadNote(notes, log, `log-${await log.id()}`);
}

function createHeadNote(notes: MediaNotes, log: NotedLog, name: string): HeadNote {
  return {
    read: async () => parse(await notes.read(name)),
    write: ({ seq, hash, timeMs }) => notes.write(name, `${seq} ${hash} ${timeMs}\n`),
    findLoss: async (noted) => {
      if (noted === undefined) return undefined;
      const found = await log.find(noted.seq);
      if (found?.hash === noted.hash) return undefined;
      return describeLoss(noted, {
        hash: found?.hash,
        lastSeq: (await log.find())?.seq ?? 0,
      });
    },
  };
}

function parse(text: string | undefined): ChainHead | undefined {
  const [, seq, hash, timeMs] =
    /^(\d{1,15}) ([\da-f]{64}) (\d{1,15}|NaN)\n$/.exec(text ?? "") ?? [];
  if (hash === undefined) return undefined;
  return { seq: Number(seq), hash, timeMs: Number(timeMs) };
}

const BESIDE = "as is noted beside the recordings";

/** The reason to refuse an archive whose log lacks these rows. */
export const toRefusal = (loss: string) =>
  `the access log lost rows, or the records are an older copy: ${loss}, ${BESIDE}. Revoked keys may be valid again in it. Put the newest records back, or accept the loss with "audit accept-loss"`;

/**
 * Adds a row to a log that contains the noted row, then notes the new row. Returns what `append` does. If the place cannot be reached, the comparison waits until
 * it can. Throws `ArchiveError` if the log lacks the noted row.
 */
export async function recordNoted<Added>(
  media: NotedPlace,
  log: NotedLog,
  append: () => Added | Promise<Added>,
): Promise<Added> {
  const note = await openHeadNote(media, log);
  const noted = await note?.read().catch(unlessAway);
  const loss = await note?.findLoss(noted);
  if (loss !== undefined) throw new ArchiveError(toRefusal(loss));
  const added = await append();
  const head = await log.find();
  if (head !== undefined) await note?.write(head).catch(unlessAway);
  return added;
}

function unlessAway(error: unknown): undefined {
  if (!isFault(error, "unavailable")) throw error;
}

/** For a check of the archive. */
export async function examineHeadNote(
  media: NotedPlace,
  log: NotedLog,
  where: string,
): Promise<Finding[]> {
  const note = await openHeadNote(media, log);
  try {
    const loss = await note?.findLoss(await note.read());
    if (loss === undefined) return [];
    const what = `the access log lost rows, or the records are an older copy: ${loss}, ${BESIDE}`;
    return [
      {
        level: "error",
        what,
        where,
        todo: 'find out who could write to it; put the newest records back, or accept the loss with "audit accept-loss", and revoke again what was revoked since',
      },
    ];
  } catch (fault) {
    if (!isFault(fault, "unavailable")) throw fault;
    return []; // the examination of the recordings reports an unreachable place
  }
}
