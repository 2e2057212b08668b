// Adds entries to the ledger of an archive, and says in them what an erasure does. An entry does not contain an identifier, because that
// names a person.
import type { LedgerHead } from "../port/ledger.ts";
import type { Eraser, ErasureFilter } from "../port/maintenance.ts";
import { isOfIdentifier, toAsked } from "./erasure-entry.ts";
import { appendEntry, mergeMarks, type OwnLedger, type StoredMark, type Told } from "./ledger.ts";
import { isNothing, type OwedCases } from "./owed-marks.ts";

export interface LedgerWriter {
  readonly append: (told: Told) => Promise<void>;
  /** The newest entry; the archive stores it when it has applied it. */
  readonly head: () => LedgerHead;
}

export interface Known {
  /** The newest entry that the archive has applied. */
  readonly head: LedgerHead;
  /** The marks of all that was erased so far. */
  readonly listMarks: () => readonly StoredMark[] | Promise<readonly StoredMark[]>;
}

export function createLedgerWriter(own: OwnLedger, known: Known): LedgerWriter {
  let { head } = known;
  const append = async (told: Told): Promise<void> => {
    // The ledger has no entry for what an earlier version erased. The first entry includes it, so that a restore repeats that as well.
    const before = head.number === 0 ? await known.listMarks() : [];
    if (before.length > 0 && told.kind !== "erased") {
      const { by } = told;
      await append({ kind: "erased", by, why: {}, marks: [], sounds: [] });
      await append(told);
      return;
    }
    const marks = before.length === 0 ? told.marks : mergeMarks([...before, ...told.marks]);
    head = await appendEntry(own, head, { ...told, marks });
  };
  return { append, head: () => head };
}

interface Asked {
  readonly filter: ErasureFilter;
  readonly by: Pick<Eraser, "operator" | "case">;
  /** Called after each entry. */
  readonly onAdded?: () => Promise<unknown>;
}

export type Notes = ReturnType<typeof createNotes>;

/** Writes the next entries of an erasure. */
export function createNotes(writer: LedgerWriter, { filter, by, onAdded }: Asked) {
  const rule = isOfIdentifier(filter) ? {} : toAsked(filter);
  // An archive that is behind this entry looks for calls without their sound only if it says so.
  const why = {
    ...rule,
    ...(filter.isSound && { sound: true }),
    ...(by.case !== undefined && { case: by.case }),
  };
  const append = async (told: Pick<Told, "kind" | "marks" | "references" | "sounds">) => {
    await writer.append({ ...told, by: by.operator, why });
    await onAdded?.();
  };
  return {
    head: writer.head,
    erase: (marks: readonly StoredMark[], sounds: readonly string[]) =>
      append({ kind: "erased", marks, sounds }),
    /** `owed`: by marks. */
    owe: async (owed: OwedCases) => {
      if (isNothing(owed)) return;
      const marks = Array.from(owed.callIds.keys(), (mark) => [mark, null] as const);
      await append({ kind: "owed", marks, references: [...owed.references.keys()], sounds: [] });
    },
    /** The marks of references that are owed no more. */
    settle: async (references: readonly string[]) => {
      if (references.length > 0)
        await append({ kind: "settled", marks: [], references, sounds: [] });
    },
  };
}
