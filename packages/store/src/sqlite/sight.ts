// Somebody's sight of the calls that an identifier names (D21): their rights, judged by the numbers that calls carry in the
// indexes by identifier, so that what may not be seen is passed over without being read, and in a time that does not tell of it.
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { Visibility } from "../call-store.ts";
import { createDecoys } from "./decoys.ts";
import { createEyesFinder, type Eyes, judge } from "./eyes.ts";

/** SQL for the calls that have the identifier `:name`. */
export interface Named {
  /** A SELECT of their numbers that an index answers alone. */
  readonly numbers: string;
  /** A SELECT of the numbers of calls beside them in that index, or of others where these do not suffice. */
  readonly others: string;
  /** A condition for a row of `call`: that it is one of them, and that it fulfils `isSeen` on a row of their index. */
  readonly where: (isSeen: string) => string;
}

/** The rows of an identifier that are seen, each an array of its columns. */
export type Look = (name: string, visibility: Visibility) => SQLOutputValue[][];

/** Of the calls of an identifier, as SQL and `judge` tell each other. */
const VERDICT = { noneIsSeen: 0, someAreSeen: 1, allAreSeen: 2 } as const;

// Never null, so that as much is done where nothing has the identifier.
const toList = (numbers: string) => `CAST(x'00' || ${numbers} AS BLOB)`;
// All calls are judged at once: calling JavaScript takes as long as judging five of them. With a LIMIT, or SQLite would take
// what asks for a verdict into the subquery, and judge a second time.
const toVerdict = (numbers: string) =>
  `SELECT verdict_of(${toList("ifnull(group_concat(restricted, x'00'), '')")}) AS verdict FROM (${numbers}) LIMIT 1`;
const IS_SEEN = `(verdict = ${VERDICT.allAreSeen} OR verdict_of(${toList("restricted")}) = ${VERDICT.allAreSeen})`;

/** Nobody has looked yet. */
const NOBODYS: Eyes = { met: new Map(), all: 0, lastNumber: 0 };

/** Gives statements of `database` the function `verdict_of(list)`, and makes look-ups that ask it. */
export function createSight(database: DatabaseSync) {
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
    if (seen === 0) return VERDICT.noneIsSeen;
    return seen === calls ? VERDICT.allAreSeen : VERDICT.someAreSeen;
  });

  return {
    /** `toStatement` makes a SELECT of what its arguments, a FROM with `call` in it and a WHERE, give. */
    prepareLook: (named: Named, toStatement: (from: string, where: string) => string): Look => {
      const prepare = (from: string, where: string) => {
        const statement = database.prepare(toStatement(from, where));
        statement.setReturnArrays(true);
        return (name: string) => statement.all({ name }) as unknown as SQLOutputValue[][]; // as it was told
      };
      const selectAll = prepare("call", named.where("TRUE"));
      const selectSeen = prepare(
        `(${toVerdict(named.numbers)}) CROSS JOIN call`,
        `verdict > ${VERDICT.noneIsSeen} AND ${named.where(IS_SEEN)}`,
      );
      const judgeDecoys = createDecoys(database, toVerdict(`${named.others} LIMIT :lacking`));
      return (name, visibility) => {
        if (visibility.length === 0) return selectAll(name);
        [looking, judged] = [visibility, 0];
        eyes = known.get(visibility)?.deref() ?? open(visibility);
        const found = selectSeen(name);
        if (found.length === 0) judgeDecoys(name, judged);
        return found;
      };
    },
  };
}
