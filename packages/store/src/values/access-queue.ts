// The queue of rows for the access log. Rows are written in groups, none is lost, and no read proceeds while they cannot be written.
import type { ChainHead } from "../port/access-log.ts";
import { isFault, StoreFault } from "../port/faults.ts";

// Rows of metadata may be 100 ms late: one half for collecting them, the other for writing.
const GATHER_MS = 50;
const MAX_BEHIND_MS = 100;

// How often writing is retried, without any requests, while rows cannot be written.
const RETRY_MS = 1_000;

interface Waiting {
  readonly entry: string;
  readonly sinceMs: number;
  /** Absent if the read was answered without waiting for its row: such a row is kept until it is written. */
  readonly waiter?: { readonly resolve: () => void; readonly reject: (error: unknown) => void };
}

/** An adapter's writer for its log. Every function throws `StoreFault`. */
export interface RowWriter {
  /**
   * Appends the entries, JSON, in their order. If it throws, none of them counts as written. Throws a `StoreFault` "lost" for a
   * log that lacks rows, unless `isPromised`: the responses of these entries were already sent.
   */
  append(entries: readonly string[], isPromised?: boolean): Promise<void>;
  /** Writes, and changes nothing. */
  check(): Promise<void>;
  /** See `AccessLog.witness`. */
  witness(): Promise<ChainHead | undefined>;
}

export interface AccessQueue {
  /** `entry`: JSON. */
  add(entry: string, isDurable: boolean): Promise<void>;
  /** Throws if nothing can be written. */
  check(): Promise<void>;
  /** See `AccessLog.witness`. */
  witness(): Promise<ChainHead | undefined>;
  /** Writes what is still queued. Throws if that fails. */
  close(): Promise<void>;
}

export function createAccessQueue(writer: RowWriter): AccessQueue {
  const backlog = createBacklog();
  const groups = createGroupWriter(writer, backlog);
  let isClosed = false;

  return {
    add: (entry, isDurable) => {
      if (isClosed) return Promise.reject(new StoreFault("unavailable", "the archive is closed"));
      const sinceMs = performance.now();
      if (isDurable || groups.isFailing() || backlog.behindMs(sinceMs) > MAX_BEHIND_MS) {
        return new Promise((resolve, reject) => {
          backlog.add({ entry, sinceMs, waiter: { resolve, reject } });
          groups.flush();
        });
      }
      backlog.add({ entry, sinceMs });
      groups.flushIn(GATHER_MS);
      return WRITTEN_SOON;
    },
    check: () => writer.check(),
    witness: async () => {
      await groups.settle();
      return writer.witness();
    },
    close: async () => {
      isClosed = true;
      await groups.end();
    },
  };
}

const WRITTEN_SOON = Promise.resolve();

type Backlog = ReturnType<typeof createBacklog>;

/** The rows that are not written yet: a group in progress, and the rows after it. */
function createBacklog() {
  let group: readonly Waiting[] = [];
  let waiting: Waiting[] = [];
  return {
    add: (row: Waiting) => void waiting.push(row),
    /** How long the oldest row has waited; 0 without any. */
    behindMs: (nowMs: number): number => nowMs - ((group[0] ?? waiting[0])?.sinceMs ?? nowMs),
    isAwaited: () => waiting.some(({ waiter }) => waiter !== undefined),
    size: () => waiting.length,
    /** Makes all waiting rows a group. */
    takeGroup: (): readonly string[] => {
      group = waiting;
      waiting = [];
      return group.map(({ entry }) => entry);
    },
    settleGroup: () => {
      for (const { waiter } of group) waiter?.resolve();
      group = [];
    },
    /** Waiting callers get the error, and their rows are dropped. The other rows, if any, remain the group. */
    failGroup: (error: unknown): readonly string[] => {
      for (const { waiter } of group) waiter?.reject(error);
      group = group.filter(({ waiter }) => waiter === undefined);
      return group.map(({ entry }) => entry);
    },
    /** Puts the rows of the group back into the queue. */
    keepGroup: () => {
      waiting = [...group, ...waiting];
      group = [];
    },
  };
}

/** Writes groups sequentially: rows that arrive during a write form the next group. */
function createGroupWriter(writer: RowWriter, backlog: Backlog) {
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;
  let isEnding = false;

  const write = async (): Promise<void> => {
    try {
      await writer.append(backlog.takeGroup());
      isFailing = false;
      backlog.settleGroup();
    } catch (error) {
      isFailing = true;
      await keepPromise(backlog.failGroup(error), isFault(error, "lost"));
    }
  };
  // A log that lost rows gets the rows of responses sent before that was known, and nothing after them.
  const keepPromise = async (promised: readonly string[], isOfLoss: boolean): Promise<void> => {
    try {
      if (isOfLoss && promised.length > 0) await writer.append(promised, true);
      if (isOfLoss) backlog.settleGroup();
      else backlog.keepGroup();
    } catch {
      backlog.keepGroup();
    }
  };
  const writeGroup = async (): Promise<void> => {
    await write();
    writing = undefined;
    const gatherMs = Math.max(0, GATHER_MS - backlog.behindMs(performance.now()));
    if (backlog.isAwaited()) flush();
    else if (backlog.size() > 0) flushIn(isFailing ? RETRY_MS : gatherMs);
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeGroup();
  };
  const flushIn = (delayMs: number): void => {
    if (timer === undefined && writing === undefined && !isEnding)
      timer = setTimeout(flush, delayMs);
  };
  const settle = async (): Promise<void> => {
    await writing;
    if (backlog.size() > 0) flush();
    await writing;
  };
  const end = async (): Promise<void> => {
    isEnding = true;
    if (backlog.size() > 0) flush();
    await writing;
    clearTimeout(timer);
    if (backlog.size() === 0) return;
    if (isFailing)
      throw new StoreFault(
        "unavailable",
        `${backlog.size()} rows of the access log could not be written`,
      );
    await end();
  };
  return { flush, flushIn, settle, end, isFailing: () => isFailing };
}
