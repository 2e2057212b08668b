// An archive whose access log is noted beside the recordings as well: one that lacks what is noted there is not used.
import { type HeadNote, openHeadNote, toRefusal } from "./head-note.ts";
import { ArchiveError, isFault, StoreFault } from "../port/faults.ts";
import type { AccessLog, CallStore, OpenOptions, WitnessedHead } from "../port/index.ts";

/** Opens it with `open`. Throws `ArchiveError`, also when the log lacks the row that is noted, unless `toInspect` is set. */
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

// A place that is away now is compared as soon as something is noted there.
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
        // At once, but nobody waits for it.
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
      // Read first: rows that are added meanwhile are no fault.
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

// A place may take few writes of one name, and may keep each of them.
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
    // Another server may have noted a later one.
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
  // One after the other, or the later would be compared with what the one before is about to write.
  let running: Promise<unknown> = Promise.resolve();
  const enqueue = async (): Promise<WitnessedHead | undefined> => {
    const next = running.then(noteNow);
    running = next.catch(() => {});
    return await next;
  };
  const soon = createSoon(() => void enqueue().catch(() => {})); // what is lost refuses the next row
  return {
    /** Undefined while nothing is lost, as far as is known. */
    refusal: () => lost,
    expect: () => {
      isExpected = true;
    },
    note: enqueue,
    begin: soon.begin,
    /** Notes what was not noted yet, as far as that is possible. */
    end: async () => {
      soon.end();
      await running;
      // Rows of commands are written by other ways, too.
      const head = await log.find().catch(() => undefined);
      if (isExpected || (head !== undefined && head.hash !== notedHash))
        await enqueue().catch(() => {});
    },
  };
}

/** Does it at once, and once more after a pause if it was asked for meanwhile. */
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
