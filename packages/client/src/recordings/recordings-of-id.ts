// The content of one identifier in the service: its records, and what is announced about each of their recordings. Each request is sent
// once, however many recordings are needed.
import type { Clock } from "../clock.ts";
import { isCallMediaError, NotFoundError, PermissionError } from "../errors.ts";
import { type Described, describe } from "./recording-headers.ts";
import { toRecordingNames } from "./recording-names.ts";
import type { OwnerRecord } from "./recording-request.ts";

/** One recording, from the response to HEAD. */
export interface Head extends Described {
  /** The number in the service, from 1. */
  readonly part: number;
  /** The reason why nothing is announced: the user may not download it (D22). */
  readonly refusal?: PermissionError | undefined;
}

export interface Heads {
  readonly heads: readonly Head[];
  /** True if the service returns its first recording for any `part`. */
  readonly isPartIgnored: boolean;
}

/** Sends requests to the service, and throws the errors of a call. */
export interface Requests {
  readonly askRecords: () => Promise<readonly OwnerRecord[]>;
  readonly askHead: (part: number) => Promise<Head>;
}

/** An identifier of a record. */
export interface Identifier {
  /** The same for equal requests. */
  readonly key: string;
  readonly signal: AbortSignal | undefined;
  readonly requests: Requests;
}

/** The greatest `part` of the contract. No call has as many recordings. */
export const MAX_PART = 10_000;
/** Number of parallel HEAD requests. */
const AT_ONCE = 4;
/** Changes within this time are noticed when the recording is opened. */
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 100;

interface Remembered {
  readonly untilMs: number;
  readonly answers: Map<string, Promise<unknown>>;
}

export function createRecordingsOfId(clock: Clock) {
  const memory = new Map<string, Remembered>();

  function recall(key: string): Remembered {
    const known = memory.get(key);
    if (known && clock.now() < known.untilMs) return known;
    if (memory.size >= MOST_REMEMBERED) memory.clear();
    const begun = { untilMs: clock.now() + REMEMBERED_MS, answers: new Map() };
    memory.set(key, begun);
    return begun;
  }

  async function once<T>({ key, signal }: Identifier, name: string, ask: () => Promise<T>) {
    for (;;) {
      const { answers } = recall(key);
      const known = answers.get(name) as Promise<T> | undefined;
      const answer = known ?? ask();
      answers.set(name, answer);
      try {
        return await answer;
      } catch (error) {
        if (answers.get(name) === answer) answers.delete(name);
        // The abort came from another caller, not from this one.
        if (!known || signal?.aborted || !isCallMediaError(error, "AbortError")) throw error;
      }
    }
  }

  const listRecords = (id: Identifier) => once(id, "records", id.requests.askRecords);
  return {
    /** The cached records, or new ones if the cached ones lack a record. */
    async listRecords(id: Identifier, has: (records: readonly OwnerRecord[]) => boolean) {
      const isRemembered = memory.get(id.key)?.answers.has("records");
      const records = await listRecords(id);
      if (!isRemembered || has(records)) return records;
      memory.delete(id.key);
      return listRecords(id);
    },
    /** @throws NotFoundError if there is none. */
    listHeads: (id: Identifier): Promise<Heads> =>
      once(id, "heads", async () => askHeads(id.requests, countNames(await listRecords(id)))),
    forget: (key: string) => void memory.delete(key),
  };
}

export const countNames = (records: readonly OwnerRecord[]): number =>
  records.flatMap(({ recordings }) => toRecordingNames(recordings)).length;

async function askHeads({ askHead }: Requests, count: number): Promise<Heads> {
  const ask = (part: number) => askHead(part).catch((error: unknown) => toRefused(part, error));
  const heads: Head[] = [];
  for (let part = 1; part === 1 || part <= count; part += AT_ONCE) {
    const parts = Array.from(
      { length: Math.min(AT_ONCE, count - part + 1) || 1 },
      (_, i) => part + i,
    );
    const answers = await Promise.all(parts.map(ask));
    const end = answers.findIndex((one) => one instanceof NotFoundError);
    const [first] = answers;
    if (part === 1 && first instanceof NotFoundError) throw first;
    heads.push(...(answers.slice(0, end < 0 ? undefined : end) as Head[]));
    if (end >= 0) return { heads, isPartIgnored: false };
  }
  const isPartIgnored = hasTwins(heads) && !((await ask(MAX_PART)) instanceof NotFoundError);
  return isPartIgnored ? { heads: heads.slice(0, 1), isPartIgnored } : { heads, isPartIgnored };
}

function toRefused(part: number, error: unknown): Head | NotFoundError {
  if (error instanceof NotFoundError) return error;
  if (error instanceof PermissionError) return { part, ...describe(new Headers()), refusal: error };
  throw error;
}

/** True if two of them could be the same recording. */
function hasTwins(heads: readonly Head[]): boolean {
  const seen = heads.map(({ announced: { filename, bytes, sha256 } }) =>
    JSON.stringify([filename, bytes, sha256]),
  );
  return new Set(seen).size < seen.length;
}
