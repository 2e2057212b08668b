// Somebody's sight of the calls that an identifier names (D21): their rights, judged by the numbers that calls carry in the
// indexes by identifier, so that what may not be seen is passed over without being read, and in a time that does not tell of it.
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { Visibility } from "../call-store.ts";
import { createCrowdSight } from "./crowds/crowd-sight.ts";
import { createEyesFinder, type Eyes, isOne, judge, readId } from "./eyes.ts";
import { type Identifier, OTHERS, toListed } from "./identifiers.ts";

/** The rows of an identifier that are seen, each an array of its columns. Throws `RecordDamaged`. */
export type Look = (name: string, visibility: Visibility) => SQLOutputValue[][];

// All calls are judged at once: calling JavaScript takes as long as judging five of them.
const toJudging = (lists: string) =>
  `SELECT judge_calls(CAST(ifnull(group_concat(list, ''), '') AS BLOB)) FROM (${lists})`;
const IS_SEEN = `is_seen(CAST(${toListed("1")} AS BLOB))`;
// SQLite never exchanges the two sides of a CROSS JOIN.
const FOUND = "(SELECT value AS found FROM json_each(:found)) CROSS JOIN call ON call.id = found";

/** What was found in the lists that a statement gave. */
interface Found {
  readonly calls: number;
  readonly ids: readonly string[];
}

/** Nobody has looked yet. */
const NOBODYS: Eyes = { met: new Map(), all: 0, restrictions: [], lastNumber: 0 };

/**
 * Makes look-ups, and gives their statements functions of JavaScript. One takes the same steps whatever is hidden: of each stretch
 * of the index it judges few calls, those of the identifier and those beside them; then a thousand of crowds. So a clock does not tell
 * a hidden call from one that does not exist.
 */
export function createSight(database: DatabaseSync) {
  const findEyes = createEyesFinder(database);
  const crowds = createCrowdSight(database);
  // Weakly: how many eyes are kept is settled where they are found.
  const known = new WeakMap<Visibility, WeakRef<Eyes>>();
  let looking: Visibility = [];
  let eyes = NOBODYS;
  let found: Found = { calls: 0, ids: [] };

  const open = (visibility: Visibility): Eyes => {
    const opened = findEyes(visibility);
    known.set(visibility, new WeakRef(opened));
    return opened;
  };
  const look = (visibility: Visibility) => {
    looking = visibility;
    eyes = known.get(visibility)?.deref() ?? open(visibility);
  };
  // Rights may be older than an import: the service reads them anew after each.
  const lookAgain = () => {
    eyes = open(looking);
    return eyes;
  };
  const toJudged = (list: Uint8Array) => {
    const judged = judge(list, eyes);
    return judged.isOutdated ? judge(list, lookAgain()) : judged;
  };
  database.function("judge_calls", (list) => {
    const bytes = toBytes(list);
    const { calls, seen } = toJudged(bytes);
    const own = seen.filter((start) => isOne(bytes, start));
    found = { calls, ids: own.map((start) => readId(bytes, start)) };
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

  const prepareFinding = (identifier: Identifier) => {
    const { first, most, stretches } = identifier;
    const judgeFirst = prepareJudging(first);
    const lacking = `max(1, 1 + ${most} * ${stretches} - :judged)`;
    const judgeOthers = prepareJudging(`${OTHERS} LIMIT ${lacking}`);
    const findInCrowd = crowds.prepareFinding(identifier);
    const toRestrictions = (newest: number) =>
      (newest > eyes.lastNumber ? lookAgain() : eyes).restrictions;
    return (name: string): ReadonlySet<string> => {
      const { calls, ids } = judgeFirst({ name });
      judgeOthers({ name, judged: calls });
      return new Set([...ids, ...findInCrowd(name, toRestrictions)]);
    };
  };

  return {
    /** `toStatement` makes a SELECT of what its arguments, a FROM with `call` in it and a WHERE, give. */
    prepareLook: (
      identifier: Identifier,
      toStatement: (from: string, where: string) => string,
    ): Look => {
      const prepare = (from: string, where: string) => {
        const statement = database.prepare(toStatement(from, where));
        statement.setReturnArrays(true);
        return (given: Record<string, SQLInputValue>) =>
          statement.all(given) as unknown as SQLOutputValue[][]; // as it was told
      };
      const selectAll = prepare("call", identifier.where);
      const selectFound = prepare(FOUND, `${identifier.isOne} AND ${IS_SEEN}`);
      const find = prepareFinding(identifier);
      return (name, visibility) => {
        if (visibility.length === 0) return selectAll({ name });
        look(visibility);
        const ids = [...find(name)].join();
        return ids === "" ? [] : selectFound({ name, found: `[${ids}]` });
      };
    },
  };
}

function toBytes(list: SQLOutputValue): Uint8Array {
  if (list instanceof Uint8Array) return list;
  throw new TypeError("not a list of calls");
}
