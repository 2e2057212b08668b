// Somebody's sight of the calls that an identifier names (D21): their rights, judged by the numbers that calls carry in the
// indexes by identifier, so that what may not be seen is passed over without being read, and in a time that does not tell of it.
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { Visibility } from "../call-store.ts";
import { createEyesFinder, type Eyes, judge, readId } from "./eyes.ts";
import type { SearchThreads } from "./search-threads.ts";
import type { Sought } from "./seen-calls.ts";

/** SQL for the calls that have the identifier `:name`, which lie in one or several stretches of an index. */
export interface Named {
  /** Where the search index has the identifier. */
  readonly field: Sought["field"];
  /** A condition for a row of `call`: that it is one of them. */
  readonly where: string;
  /** A SELECT of a `list` (see `LISTED`) of each of them, that an index answers alone. */
  readonly lists: string;
  /** As `lists`, but of each stretch `most` at most; several lists may be one. */
  readonly first: string;
  readonly most: number;
  /** How many stretches there are. */
  readonly stretches: string;
  /**
   * A SELECT of the lists of as many calls as are wanted, from where they lie in that index on, or would: beside those that
   * `first` has read, so that the same part of the index is read, whatever is there.
   */
  readonly others: string;
  /** That a row of `call` is one of them, without an index. */
  readonly isOne: string;
}

/** The rows of an identifier that are seen, each an array of its columns. Throws what the search index throws. */
export type Look = (name: string, visibility: Visibility) => Promise<SQLOutputValue[][]>;

/** Of a row of `call`, what `judge` reads. */
export const LISTED = "x'00' || restricted || x'00' || id";

// All calls are judged at once: calling JavaScript takes as long as judging five of them.
const toJudging = (lists: string) =>
  `SELECT judge_calls(CAST(ifnull(group_concat(list, ''), '') AS BLOB)) FROM (${lists})`;
const IS_SEEN = `is_seen(CAST(${LISTED} AS BLOB))`;
// SQLite never exchanges the two sides of a CROSS JOIN.
const FOUND = "(SELECT value AS found FROM json_each(:found)) CROSS JOIN call ON call.id = found";

/** What was found in the lists that a statement gave. */
interface Found {
  readonly calls: number;
  readonly isAnySeen: boolean;
  readonly toIds: () => readonly string[];
}

/** Nobody has looked yet. */
const NOBODYS: Eyes = { met: new Map(), all: 0, lastNumber: 0 };

/**
 * Makes look-ups, and gives their statements functions of JavaScript. One takes the same steps whatever is hidden: of each stretch
 * of the index it judges few calls, and others until they are always as many; where it sees none of them, `findSeen`, as
 * `SearchThreads` has it, is asked for what else the identifier names. So a clock does not tell a hidden call from one that does
 * not exist, but where some of more calls than these few are seen.
 */
export function createSight(database: DatabaseSync, findSeen: SearchThreads["findSeen"]) {
  const findEyes = createEyesFinder(database);
  // Weakly: how many eyes are kept is settled where they are found.
  const known = new WeakMap<Visibility, WeakRef<Eyes>>();
  let looking: Visibility = [];
  let eyes = NOBODYS;
  let found: Found = { calls: 0, isAnySeen: false, toIds: () => [] };

  const open = (visibility: Visibility): Eyes => {
    const opened = findEyes(visibility);
    known.set(visibility, new WeakRef(opened));
    return opened;
  };
  const look = (visibility: Visibility) => {
    looking = visibility;
    eyes = known.get(visibility)?.deref() ?? open(visibility);
  };
  const toJudged = (list: Uint8Array) => {
    const judged = judge(list, eyes);
    if (!judged.isOutdated) return judged;
    // Rights that are older than an import: the service reads them anew after each.
    eyes = open(looking);
    return judge(list, eyes);
  };
  database.function("judge_calls", (list) => {
    const bytes = toBytes(list);
    const { calls, seen } = toJudged(bytes);
    const toIds = () => seen.map((start) => readId(bytes, start));
    found = { calls, isAnySeen: seen.length > 0, toIds };
    return null;
  });
  database.function("is_seen", (list) => toJudged(toBytes(list)).seen.length);

  const prepareJudging = (lists: string) => {
    const statement = database.prepare(toJudging(lists));
    return (given: Record<string, SQLInputValue>): Found => {
      statement.all(given);
      return found;
    };
  };

  /** Those of the first that are seen, or of all where there may be more. */
  const prepareFinding = ({ first, lists, others, most, stretches }: Named) => {
    const judgeFirst = prepareJudging(first);
    const judgeAll = prepareJudging(lists);
    const lacking = `max(1, 1 + ${most} * ${stretches} - :judged)`;
    const judgeOthers = prepareJudging(`${others} LIMIT ${lacking}`);
    return (name: string): readonly string[] => {
      const { calls, isAnySeen, toIds } = judgeFirst({ name });
      if (isAnySeen && calls >= most) return judgeAll({ name }).toIds();
      judgeOthers({ name, judged: calls });
      return toIds();
    };
  };

  return {
    /** `toStatement` makes a SELECT of what its arguments, a FROM with `call` in it and a WHERE, give. */
    prepareLook: (named: Named, toStatement: (from: string, where: string) => string): Look => {
      const prepare = (from: string, where: string) => {
        const statement = database.prepare(toStatement(from, where));
        statement.setReturnArrays(true);
        return (given: Record<string, SQLInputValue>) =>
          statement.all(given) as unknown as SQLOutputValue[][]; // as it was told
      };
      const selectAll = prepare("call", named.where);
      const selectFound = prepare(FOUND, `${named.isOne} AND ${IS_SEEN}`);
      const findFirst = prepareFinding(named);
      return async (name, visibility) => {
        if (visibility.length === 0) return selectAll({ name });
        look(visibility);
        // A call may have the name twice.
        const first = new Set(findFirst(name));
        const { field } = named;
        const ids = first.size > 0 ? first : await findSeen({ field, name, visibility });
        const list = [...ids].join();
        if (list === "") return [];
        look(visibility);
        return selectFound({ name, found: `[${list}]` });
      };
    },
  };
}

function toBytes(list: SQLOutputValue): Uint8Array {
  if (list instanceof Uint8Array) return list;
  throw new TypeError("not a list of calls");
}
