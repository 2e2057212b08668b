// Appends the outcomes of files to the journal of a window.
import { writeSync } from "node:fs";
import { open } from "node:fs/promises";
import type { Item, Outcome } from "@call-media/handover";
import { type Journal, type Line, type PartialDownload, toLine } from "./journal.ts";

export interface OpenJournal extends Journal, AsyncDisposable {
  readonly recordPartial: (item: Item, partial: PartialDownload) => Promise<void>;
  readonly record: (item: Item, outcome: Outcome) => Promise<void>;
  /** Ends a run. Resolves once the complete journal is on the disk. */
  readonly seal: () => Promise<void>;
}

/** The maximum time of work that a power failure may cost. */
const CHECKPOINT_MS = 1000;

/** Removes the unreadable end of the journal. */
export async function openJournal(path: string, journal: Journal): Promise<OpenJournal> {
  const { listed, outcomes } = journal;
  const file = await open(path, "r+");
  await file.truncate(journal.bytes);
  let end = journal.bytes;
  let syncedAtMs = Date.now();
  /** Returns the offset of the line. */
  function append(line: Line): number {
    const content = Buffer.from(toLine(line));
    const at = end;
    // Synchronous writes keep the lines of parallel files separate.
    for (let done = 0; done < content.length;)
      done += writeSync(file.fd, content, done, content.length - done, at + done);
    end += content.length; // after a failed write, the next line overwrites the partial one
    return at;
  }
  async function sync(): Promise<void> {
    syncedAtMs = Date.now();
    await file.datasync();
  }
  async function syncNowAndThen(): Promise<void> {
    if (Date.now() - syncedAtMs >= CHECKPOINT_MS) await sync();
  }
  return {
    ...journal,
    async recordPartial(item, partial) {
      append({ item, partial });
      await syncNowAndThen();
    },
    async record(item, outcome) {
      outcomes.add(item, outcome, append({ item, outcome }));
      await syncNowAndThen();
    },
    async seal() {
      const { rows, came, verdict } = listed;
      append({ seal: { rows, ...outcomes.count, came, verdict } });
      await sync();
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}
