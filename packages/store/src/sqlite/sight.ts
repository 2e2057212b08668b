// Somebody's sight of the calls that an identifier names (D21): their rights, judged by the numbers that calls carry in the
// indexes by identifier, so that what may not be seen is passed over without being read, and in a time that does not tell of it.
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { Visibility } from "../call-store.ts";
import { createEyesFinder, type Eyes, judge } from "./eyes.ts";
import type { SearchThreads } from "./search-threads.ts";
import type { Sought } from "./seen-calls.ts";

/** SQL for the calls that have the identifier `:name`, which lie in one or several stretches of an index. */
export interface Named {
  /** Where the search index has the identifier. */
  readonly field: Sought["field"];
  /** A SELECT of the numbers of all of them that an index answers alone. */
  readonly numbers: string;
  /** As `numbers`, but of each stretch at most `most`; several lists may be one, with a byte of 0 between them. */
  readonly first: string;
  readonly most: number;
  /** How many stretches there are. */
  readonly stretches: string;
  /**
   * A SELECT of the numbers of as many calls as are wanted, from where they lie in that index on, or would: beside those that
   * `first` has read, so that the same part of the index is read, whatever is there.
   */
  readonly others: string;
  /** A condition for a row of `call`: that it is one of them, and that it fulfils `isSeen` on a row of their index. */
  readonly where: (isSeen: string) => string;
  /** That a row of `call` is one of them, without an index. */
  readonly isOne: string;
}

/** The rows of an identifier that are seen, each an array of its columns. Throws what the search index throws. */
export type Look = (name: string, visibility: Visibility) => Promise<SQLOutputValue[][]>;

/** Of some calls: how many there are and one more, where all of them are seen. */
const VERDICT = { noneIsSeen: 0, someAreSeen: 1 } as const;

// Never null, so that as much is done where nothing has the identifier.
const toList = (numbers: string) => `CAST(x'00' || ${numbers} AS BLOB)`;
// All calls are judged at once: calling JavaScript takes as long as judging five of them. With a LIMIT, or SQLite would take
// what asks for a verdict into the subquery, and judge a second time.
const toVerdict = (numbers: string) =>
  `SELECT verdict_of(${toList("ifnull(group_concat(restricted, x'00'), '')")}) AS verdict FROM (${numbers}) LIMIT 1`;
// Of the first ones, and where these are seen and there may be more, of all.
const toVerdictOfAll = ({ first, most, numbers }: Named) =>
  `SELECT CASE WHEN verdict > ${most} THEN (${toVerdict(numbers)}) ELSE verdict END AS verdict
   FROM (${toVerdict(first)}) LIMIT 1`;
const IS_SEEN = `verdict_of(${toList("restricted")}) > ${VERDICT.someAreSeen}`;
// The calls that the search index has found. SQLite never exchanges the two sides of a CROSS JOIN.
const FOUND = "(SELECT value AS found FROM json_each(:found)) CROSS JOIN call ON call.id = found";

/** Nobody has looked yet. */
const NOBODYS: Eyes = { met: new Map(), all: 0, lastNumber: 0 };

/**
 * Gives statements of `database` the function `verdict_of(list)`, and makes look-ups that ask it. One that shows nothing takes
 * the same steps whatever is hidden: of each stretch of the index it judges few calls, and others until they are always as many,
 * and what else the identifier names it leaves to `findSeen`, as `SearchThreads` has it. So a clock does not tell a hidden call
 * from one that does not exist.
 */
export function createSight(database: DatabaseSync, findSeen: SearchThreads["findSeen"]) {
  const findEyes = createEyesFinder(database);
  // Weakly: how many eyes are kept is settled where they are found.
  const known = new WeakMap<Visibility, WeakRef<Eyes>>();
  let looking: Visibility = [];
  let eyes = NOBODYS;
  let judged = 0;

  const open = (visibility: Visibility): Eyes => {
    const found = findEyes(visibility);
    known.set(visibility, new WeakRef(found));
    return found;
  };
  const toJudged = (list: Uint8Array) => {
    const found = judge(list, eyes);
    if (!found.isOutdated) return found;
    // Rights that are older than an import: the service reads them anew after each.
    eyes = open(looking);
    return judge(list, eyes);
  };
  database.function("verdict_of", (list) => {
    if (!(list instanceof Uint8Array)) throw new TypeError("not a list of calls");
    const { calls, seen } = toJudged(list);
    judged += calls;
    if (seen === calls) return calls + 1;
    return seen === 0 ? VERDICT.noneIsSeen : VERDICT.someAreSeen;
  });
  const look = (visibility: Visibility) => {
    [looking, judged] = [visibility, 0];
    eyes = known.get(visibility)?.deref() ?? open(visibility);
  };

  return {
    /** `toStatement` makes a SELECT of what its arguments, a FROM with `call` in it and a WHERE, give. */
    prepareLook: (named: Named, toStatement: (from: string, where: string) => string): Look => {
      const prepare = (from: string, where: string) => {
        const statement = database.prepare(toStatement(from, where));
        statement.setReturnArrays(true);
        return (given: { readonly name: string; readonly found?: string }) =>
          statement.all(given) as unknown as SQLOutputValue[][]; // as it was told
      };
      const selectAll = prepare("call", named.where("TRUE"));
      const selectSeen = prepare(
        `(${toVerdictOfAll(named)}) CROSS JOIN call`,
        `verdict > ${VERDICT.noneIsSeen} AND ${named.where(`(verdict > ${VERDICT.someAreSeen} OR ${IS_SEEN})`)}`,
      );
      const selectFound = prepare(FOUND, `${named.isOne} AND ${IS_SEEN}`);
      const judgeOthers = database.prepare(
        toVerdict(`${named.others} LIMIT max(1, 1 + ${named.most} * ${named.stretches} - :judged)`),
      );
      return async (name, visibility) => {
        if (visibility.length === 0) return selectAll({ name });
        look(visibility);
        const rows = selectSeen({ name });
        if (rows.length > 0) return rows;
        judgeOthers.all({ name, judged });
        const ids = await findSeen({ field: named.field, name, visibility });
        if (ids.length === 0) return [];
        look(visibility);
        return selectFound({ name, found: `[${ids.join()}]` });
      };
    },
  };
}
