// Adds entries to the ledger of an archive, and says in them what an erasure does. An entry does not contain an identifier, because that
// names a person.
import type { LedgerHead } from "../port/ledger.ts";
import type { Eraser, ErasureFilter } from "../port/maintenance.ts";
import { isOfIdentifier, toAsked } from "./erasure-entry.ts";
import { appendEntry, type OwnLedger, type StoredMark, type Told, UNLISTED } from "./ledger.ts";
import { isNothing, mapOwed, type OwedCases } from "./owed-marks.ts";

export interface LedgerWriter {
  readonly append: (told: Told) => Promise<void>;
  /** The newest entry; the archive stores it when it has applied it. */
  readonly head: () => LedgerHead;
  /** For a ledger without entries: writes what an earlier version has erased and owes, whose purges wrote none. */
  readonly tellBefore: (by: string) => Promise<void>;
}

export interface Known {
  /** The newest entry that the archive has applied. */
  readonly head: LedgerHead;
  /** All that was erased so far, and is owed. */
  readonly listBefore: () => Before | Promise<Before>;
}

interface Before {
  readonly marks: readonly StoredMark[];
  /** By marks. */
  readonly owed: OwedCases;
}

/** Of an entry that no command has written. */
export const NO_OPERATOR = "";

export function createLedgerWriter(own: OwnLedger, known: Known): LedgerWriter {
  let { head } = known;
  const append = async (told: Told): Promise<void> => {
    head = await appendEntry(own, head, told);
  };
  const tellBefore = async (by: string): Promise<void> => {
    const { marks, owed } = await known.listBefore();
    // Nothing says which of the marks are of sound alone.
    const why = { sound: true, [UNLISTED]: true };
    if (marks.length > 0) await append({ kind: "erased", by, why, marks, sounds: [] });
    for (const [ofCase, some] of byCase(owed))
      await append({ by, why: ofCase === null ? {} : { case: ofCase }, ...toOwing(some) });
  };
  return {
    append: async (told) => {
      if (head.number === 0) await tellBefore(told.by);
      await append(told);
    },
    head: () => head,
    tellBefore,
  };
}

function byCase(owed: OwedCases): ReadonlyMap<string | null, OwedCases> {
  const cases = new Set([...owed.callIds.values(), ...owed.references.values()]);
  const toOwed = (ofCase: string | null) =>
    mapOwed(owed, (of) => new Map([...of].filter(([, one]) => one === ofCase)));
  return new Map(Array.from(cases, (ofCase) => [ofCase, toOwed(ofCase)]));
}

/** `owed`: by marks. */
const toOwing = ({ callIds, references }: OwedCases) => ({
  kind: "owed" as const,
  marks: Array.from(callIds.keys(), (mark) => [mark, null] as const),
  references: [...references.keys()],
  sounds: [],
});

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
      if (!isNothing(owed)) await append(toOwing(owed));
    },
    /** The marks of references that are owed no more. */
    settle: async (references: readonly string[]) => {
      if (references.length > 0)
        await append({ kind: "settled", marks: [], references, sounds: [] });
    },
  };
}
