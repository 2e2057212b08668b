// Wraps an archive to note its access log next to the recordings too. An archive whose log lacks the noted row is refused.
import { type HeadNote, openHeadNote, toRefusal } from "./head-note.ts";
import { ArchiveError, isFault, StoreFault } from "../port/faults.ts";
import type { AccessLog, CallStore, OpenOptions, WitnessedHead } from "../port/index.ts";

/** Opens it with `open`. Throws `ArchiveError`, also if the log lacks the noted row, unless `toInspect` is set. */
export async function openNoted(
  open: () => Promise<CallStore>,
  { toInspect = false }: OpenOptions = {},
): Promise<CallStore> {
  const store = await open();
  try {
    const note = await openHeadNote(store.media, store.accessLog);
    if (note === undefined) return store;
    if (toInspect) return { ...store, accessLog: { ...store.accessLog, ...toVerify(store, note) } };
    const noted = await findNoted(note);
    return withWitness(store, note, noted);
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

// A place that cannot be reached now is compared with the next note.
async function findNoted(note: HeadNote): Promise<string | undefined> {
  try {
    const noted = await note.read();
    const loss = await note.findLoss(noted);
    if (loss !== undefined) throw new ArchiveError(toRefusal(loss));
    return noted?.hash;
  } catch (error) {
    if (!isFault(error, "unavailable")) throw error;
    return undefined;
  }
}

function withWitness(store: CallStore, note: HeadNote, noted: string | undefined): CallStore {
  const { accessLog: log } = store;
  const witness = createWitness(log, note, noted);
  return {
    ...store,
    accessLog: {
      ...log,
      ...toVerify(store, note),
      append: (entry, isDurable) => {
        const added = witness.refusal() ?? log.append(entry, isDurable);
        witness.expect();
        // The note begins immediately, but nothing waits for it.
        return isDurable ? added.then(witness.begin) : added;
      },
      record: async (act) => {
        witness.expect();
        await (witness.refusal() ?? log.record(act));
      },
      check: async () => {
        await (witness.refusal() ?? log.check());
      },
      witness: witness.note,
    },
    [Symbol.asyncDispose]: async () => {
      await witness.end();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** See `AccessLog.verify`. */
function toVerify({ accessLog: log }: CallStore, note: HeadNote): Pick<AccessLog, "verify"> {
  return {
    verify: async (knownHash) => {
      // The note is read first, because rows may be added meanwhile.
      const noted = await note.read().catch((error: unknown) => {
        if (!isFault(error, "unavailable")) throw error;
        return undefined;
      });
      const report = await log.verify(knownHash);
      const fault = report.fault ?? (await note.findLoss(noted));
      return { ...report, fault, noted };
    },
  };
}

// A place may limit how often a name is written, and may keep every version.
const AT_MOST_EVERY_MS = 1_000;

function createWitness(log: AccessLog, note: HeadNote, noted: string | undefined) {
  let notedHash = noted;
  let lost: Promise<never> | undefined;
  let isExpected = false;
  const refuse = (fault: StoreFault): StoreFault => {
    lost = Promise.reject(fault);
    lost.catch(() => {});
    return fault;
  };
  const compare = async (head: WitnessedHead): Promise<void> => {
    const known = await note.read();
    const loss = await note.findLoss(known);
    if (loss !== undefined)
      throw refuse(new StoreFault("lost", `the access log lost rows: ${loss}`));
    // Another server may have noted a later row.
    if ((known?.seq ?? 0) < head.seq) await note.write(head);
    notedHash = head.hash;
  };
  const noteNow = async (): Promise<WitnessedHead | undefined> => {
    const head = await log.witness().catch((error: unknown) => {
      throw isFault(error, "lost") ? refuse(error) : error;
    });
    if (head === undefined || head.hash === notedHash) return head;
    try {
      await compare(head);
      return head;
    } catch (error) {
      if (lost !== undefined || !isFault(error, "unavailable")) throw error;
      return { ...head, unnoted: error.message };
    }
  };
  // Notes run sequentially: a parallel one would be compared with a note that is about to change.
  let running: Promise<unknown> = Promise.resolve();
  const enqueue = async (): Promise<WitnessedHead | undefined> => {
    const next = running.then(noteNow);
    running = next.catch(() => {});
    return await next;
  };
  const soon = createSoon(() => void enqueue().catch(() => {})); // a loss makes the next row fail
  return {
    /** Undefined while no loss is known. */
    refusal: () => lost,
    expect: () => {
      isExpected = true;
    },
    note: enqueue,
    begin: soon.begin,
    /** Notes the newest row if it is not noted yet, as far as possible. */
    end: async () => {
      soon.end();
      await running;
      // Rows of commands do not all pass through here.
      const head = await log.find().catch(() => undefined);
      if (isExpected || (head !== undefined && head.hash !== notedHash))
        await enqueue().catch(() => {});
    },
  };
}

/** Runs the work immediately, and once more after a pause if another request came in meanwhile. */
function createSoon(work: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let isDue = false;
  const begin = (): void => {
    if (timer !== undefined) {
      isDue = true;
      return;
    }
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) begin();
    }, AT_MOST_EVERY_MS).unref();
    isDue = false;
    work();
  };
  return { begin, end: () => clearTimeout(timer) };
}
