// Rows on their way into the access log: written in groups, none forgotten, and no read goes on while they cannot be.
import type { AccessEntry } from "../../access-log.ts";
import { NotWritten } from "../../call-store.ts";
import type { AccessWriter } from "./access-writer.ts";

// Rows of metadata may be 100 ms behind. Half of it is for gathering them, the other half for writing.
const GATHER_MS = 50;
const MAX_BEHIND_MS = 100;

// While rows cannot be written: how often that is tried when nobody asks for anything.
const RETRY_MS = 1_000;

interface Waiting {
  readonly entry: string;
  /** Absent when the read was answered without waiting for its row: such a row is kept until it is written. */
  readonly waiter?: { readonly resolve: () => void; readonly reject: (error: unknown) => void };
}

export interface AccessQueue {
  add(entry: AccessEntry, isDurable: boolean): Promise<void>;
  /** Throws when nothing can be written. */
  check(): Promise<void>;
  /** Writes what waits. Throws when that is not possible. */
  close(): Promise<void>;
}

export function createAccessQueue(writer: AccessWriter): AccessQueue {
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let oldestMs = Number.POSITIVE_INFINITY; // when the oldest row came that is not written yet
  let isFailing = false;
  let isClosed = false;

  const write = async (): Promise<void> => {
    const group = waiting;
    const startedMs = performance.now();
    waiting = [];
    try {
      await writer.run({ kind: "append", entries: group.map(({ entry }) => entry) });
      isFailing = false;
      oldestMs = waiting.length === 0 ? Number.POSITIVE_INFINITY : startedMs;
      for (const { waiter } of group) waiter?.resolve();
    } catch (error) {
      isFailing = true;
      const kept = group.filter(({ waiter }) => waiter === undefined);
      waiting = [...kept, ...waiting];
      for (const { waiter } of group) waiter?.reject(error);
    }
  };

  // One group after the other: what comes while one is written is the next.
  const writeGroup = async (): Promise<void> => {
    await write();
    writing = undefined;
    if (waiting.some(({ waiter }) => waiter !== undefined)) flush();
    else if (waiting.length > 0)
      wait(isFailing ? RETRY_MS : Math.max(0, oldestMs + GATHER_MS - performance.now()));
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeGroup();
  };
  const wait = (delayMs: number): void => {
    if (timer === undefined && writing === undefined && !isClosed)
      timer = setTimeout(flush, delayMs);
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    if (waiting.length > 0) flush();
    await writing;
    clearTimeout(timer);
    if (isFailing && waiting.length > 0)
      throw new NotWritten(`${waiting.length} rows of the access log could not be written`);
    if (waiting.length > 0) await close();
  };

  return {
    add: (given, isDurable) => {
      if (isClosed) return Promise.reject(new NotWritten("the archive is closed"));
      const nowMs = performance.now();
      const entry = JSON.stringify(given);
      oldestMs = Math.min(oldestMs, nowMs);
      if (isDurable || isFailing || nowMs - oldestMs > MAX_BEHIND_MS) {
        return new Promise((resolve, reject) => {
          waiting.push({ entry, waiter: { resolve, reject } });
          flush();
        });
      }
      waiting.push({ entry });
      wait(GATHER_MS);
      return WRITTEN_SOON;
    },
    check: async () => void (await writer.run({ kind: "check" })),
    close,
  };
}

const WRITTEN_SOON = Promise.resolve();
