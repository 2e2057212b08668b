// A journal that is worked on: what becomes of the files of its records is appended.
import { open } from "node:fs/promises";
import type { Item, Outcome } from "@call-media/handover";
import { writeAll } from "../folder/open-file.ts";
import { type Begun, type Line, type Sealed, toLine } from "./entries.ts";
import type { JournalState } from "./journal-state.ts";

/** A journal that is appended to. */
export interface Journal {
  readonly tellBegun: (item: Item, begun: Begun) => Promise<void>;
  /** The state that it was opened with has it as well. */
  readonly tell: (item: Item, outcome: Outcome) => Promise<void>;
  /** On the disk when it resolves, with all before it; nothing may follow but what a later run finds out. */
  readonly seal: (sealed: Sealed) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Puts what was told on the disk so often, so that a loss of power costs no more. */
const CHECKPOINT_MS = 1000;

/** Cuts away what cannot be read. */
export async function openJournal(
  path: string,
  { bytes, outcomes }: JournalState,
): Promise<Journal> {
  const file = await open(path, "r+");
  await file.truncate(bytes);
  let end = bytes;
  let checkedAtMs = Date.now();
  /** Where the line begins. */
  function append(line: Line): number {
    const content = Buffer.from(toLine(line));
    const at = end;
    writeAll(file.fd, [content], at);
    end += content.length; // not before: what follows a line that was cut off goes in its place
    return at;
  }
  async function check(): Promise<void> {
    checkedAtMs = Date.now();
    await file.datasync();
  }
  async function checkNowAndThen(): Promise<void> {
    if (Date.now() - checkedAtMs >= CHECKPOINT_MS) await check();
  }
  return {
    async tellBegun(item, begun) {
      append({ item, begun });
      await checkNowAndThen();
    },
    async tell(item, outcome) {
      outcomes.add(item, outcome, append({ item, outcome }));
      await checkNowAndThen();
    },
    async seal(sealed) {
      append({ sealed });
      await check();
    },
    close: () => file.close(),
  };
}
