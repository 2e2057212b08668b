// What holds keep. A query is evaluated when a record is about to be erased or replaced, so that it also holds what arrives later.
import { fieldsOf } from "@call-media/api";
import { toMetadataRecord } from "@call-media/api/metadata-record";
import { matches, parseQuery, QueryFault, toSearched } from "@call-media/words";
import type { ErasureEntry } from "../port/access-log.ts";
import { ArchiveError } from "../port/faults.ts";
import type { HoldQuery, ListedHold, NewHold } from "../port/holds.ts";
import type { ChatMessageRecord, DatedRecord, HeldBack } from "../port/index.ts";
import { toInstants } from "./days.ts";
import { readWhole } from "./damaged-records.ts";
import { parseDatetime } from "./instant.ts";
import { damaged } from "./record-form.ts";
import type { CallState } from "./versions.ts";
import { createFilter } from "./visibility.ts";
import { toRestrictions } from "./where.ts";

/** A hold as it is stored. `asked`: JSON of its query; null for a hold of call_ids. */
export interface StoredHold extends Pick<NewHold, "name" | "reason"> {
  readonly asked: string | null;
  /** The act that added it. */
  readonly act: number;
}

/** The tables of holds, in both adapters. */
export const HOLD_TABLES = ["hold", "held", "owed", "owed_reference"] as const;

const HOLD_NAME = /^[\w.-]{1,80}$/;

/** Throws `ArchiveError` for an invalid name. A query is not checked here. */
export function toStoredHold({ name, reason, holds }: NewHold, act: number): StoredHold {
  if (!HOLD_NAME.test(name))
    throw new ArchiveError(
      `the name of a hold has 1 to 80 letters, digits, dots, hyphens and underscores, and "${name}" has not`,
    );
  if ("callIds" in holds) return { name, reason, asked: null, act };
  return { name, reason, asked: JSON.stringify(holds), act };
}

export interface HoldJudge {
  /** False if no hold has a query: then only call_ids decide. */
  readonly hasQueries: boolean;
  /** True if a query contains words, which are also searched in the messages of a call. */
  readonly hasWords: boolean;
  /** The names of the holds whose query matches the state; all that have a query if `toState` throws. */
  readonly judge: (toState: () => DatedRecord, toChat: Chat) => readonly string[];
  /** The same for a state that was replaced; undefined if it cannot be reconstructed. */
  readonly judgePast: (state: CallState | undefined, toChat: Chat) => readonly string[];
  /** The same for a message of a call without a record. No condition on a field matches it. */
  readonly judgeMessage: (toMessage: () => JudgedMessage) => readonly string[];
}

interface JudgedMessage {
  readonly message: ChatMessageRecord;
  readonly instantMs: number | undefined;
}

type Chat = () => readonly ChatMessageRecord[];

/** Throws `ArchiveError` for a query that cannot be read. */
export function createHoldJudge(holds: readonly StoredHold[], timeZone: string): HoldJudge {
  const queries = holds.flatMap(({ name, asked }) => {
    if (asked === null) return [];
    const query: HoldQuery = JSON.parse(asked);
    return [{ name, query, fits: createTest(query, timeZone) }];
  });
  const judge: HoldJudge["judge"] = (toState, toChat) =>
    queries.flatMap(({ name, fits }) =>
      // A state that cannot be read may be the one that is held.
      (readWhole(() => fits(toState(), toChat)) ?? true) ? [name] : [],
    );
  return {
    hasQueries: queries.length > 0,
    hasWords: queries.some(({ query }) => query.words !== undefined),
    judge,
    judgePast: (state, toChat) =>
      judge(() => {
        if (state === undefined) throw damaged();
        const { record } = state;
        const parsed = record.datetime === null ? "" : parseDatetime(record.datetime, timeZone);
        return { record, instantMs: typeof parsed === "object" ? parsed.instantMs : undefined };
      }, toChat),
    judgeMessage: (toMessage) =>
      queries.flatMap(({ name, fits }) => {
        const isFitting = readWhole(() => {
          const { message, instantMs } = toMessage();
          return fits({ record: NO_RECORD, instantMs }, () => [message]);
        });
        return (isFitting ?? true) ? [name] : [];
      }),
  };
}

const NO_RECORD = toMetadataRecord(fieldsOf("MetadataRecord").map(() => null));

function createTest({ where = {}, words, ...days }: HoldQuery, timeZone: string) {
  const { fromMs, untilMs } = toInstants(days, timeZone);
  const isOfAnyTime = fromMs === undefined && untilMs === undefined;
  const isWithin = (instantMs: number | undefined) =>
    isOfAnyTime ||
    (instantMs !== undefined &&
      instantMs >= (fromMs ?? -Infinity) &&
      instantMs < (untilMs ?? Infinity));
  const isWanted = createFilter(toRestrictions(where));
  const query = words === undefined ? undefined : readWords(words);
  return ({ record, instantMs }: DatedRecord, toChat: Chat): boolean =>
    isWithin(instantMs) &&
    isWanted(record) &&
    (query === undefined || matches(query, toSearched(record, toChat())));
}

function readWords(words: string) {
  try {
    return parseQuery(words);
  } catch (error) {
    if (error instanceof QueryFault) throw new ArchiveError(`words: ${error.message}`);
    throw error;
  }
}

/** Collects what each hold keeps: a call by its call_id or, without one, by the adapter's key. */
export function createHeldCalls(holds: readonly StoredHold[]) {
  const byHold = new Map(holds.map(({ name }) => [name, new Set<string>()]));
  return {
    add: (name: string, call: string): void => void byHold.get(name)?.add(call),
    has: (call: string): boolean => [...byHold.values()].some((calls) => calls.has(call)),
    /** The holds that keep something, by their names. */
    listNames: (): readonly string[] =>
      [...byHold].flatMap(([name, calls]) => (calls.size > 0 ? [name] : [])).toSorted(),
    /** True if this hold keeps the call. */
    isHeldBy: (name: string, call: string): boolean => byHold.get(name)?.has(call) ?? false,
    count: (name: string): number => byHold.get(name)?.size ?? 0,
    all: (): ReadonlySet<string> => new Set([...byHold.values()].flatMap((calls) => [...calls])),
  };
}

export type HeldCalls = ReturnType<typeof createHeldCalls>;

/** The held part of an erasure; undefined if nothing is held. `isOwed`: the erasure names its calls. */
export function toHeldBack(held: HeldCalls, isOwed: boolean): HeldBack | undefined {
  const keys = held.all();
  const calls = keys.size;
  return calls === 0 ? undefined : { calls, keys, holds: held.listNames(), isOwed };
}

interface Found extends Pick<ListedHold, "added" | "pinned" | "missing"> {
  readonly held: HeldCalls;
  /** The key of a call in `held`. */
  readonly toKey: (callId: string) => string;
  /** The call_ids that are owed, with their cases. */
  readonly owed: ReadonlyMap<string, string | null>;
  /** The erasures of call_ids that are missing; undefined if the log no longer has it. */
  readonly erasures: ReadonlyMap<string, ErasureEntry | undefined>;
}

export function toListedHold(
  { name, reason, asked }: StoredHold,
  { added, pinned, missing, held, toKey, owed, erasures }: Found,
): ListedHold {
  const isOwn = (callId: string) => held.isHeldBy(name, toKey(callId));
  // A hold of a query waits for none.
  const awaited = asked === null ? missing : [];
  return {
    name,
    reason,
    query: asked === null ? undefined : JSON.parse(asked),
    added,
    calls: held.count(name),
    pinned,
    missing: awaited,
    erased: awaited.flatMap((callId) =>
      erasures.has(callId) ? [{ callId, taken: erasures.get(callId) }] : [],
    ),
    owed: [...owed].flatMap(([callId, ofCase]) =>
      isOwn(callId) ? [{ callId, reason: ofCase }] : [],
    ),
  };
}

/** The same order in all adapters. */
export const inBytes = (texts: Iterable<string>): readonly string[] =>
  [...texts].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

export const refuseTaken = (name: string): never => {
  throw new ArchiveError(
    `there is a hold ${name} already, which another one would narrow unseen: give it another name`,
  );
};

/** Throws `ArchiveError` for a name that is taken: some disks cannot tell the files of names that differ in their case alone. */
export function checkNewName(name: string, holds: readonly Pick<StoredHold, "name">[]): void {
  const taken = holds.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (taken !== undefined) refuseTaken(taken.name);
}
