// Calls judged within SQLite's statements, by the numbers that they carry in the indexes by identifier: the rights of whoever
// looks, kept up to date, and the functions of JavaScript that statements call.
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { Visibility } from "../../call-store.ts";
import type { Rights } from "../crowds/block.ts";
import { createEyesFinder, type Eyes, isOne, judge, readId } from "./eyes.ts";
import { toListed } from "../identifiers.ts";

/** What was found in the lists that a statement gave. */
export interface Found {
  readonly calls: number;
  readonly ids: readonly string[];
}

/** Of a row of `call` with its identifier: whether whoever looks may see it. */
export const IS_SEEN = `is_seen(CAST(${toListed("1")} AS BLOB))`;

// All calls are judged at once: calling JavaScript takes as long as judging five of them.
const toJudging = (lists: string) =>
  `SELECT judge_calls(CAST(ifnull(group_concat(list, ''), '') AS BLOB)) FROM (${lists})`;

/** Nobody has looked yet. */
const NOBODYS: Eyes = { rights: "", met: new Map(), all: 0, restrictions: [], lastNumber: 0 };

export interface Judging {
  /** Statements judge by these rights from now on. */
  look(visibility: Visibility): void;
  /** `lists`: a SELECT of lists of calls. What it finds are those that may be seen and are of its identifier. */
  prepare(lists: string): (given: Record<string, SQLInputValue>) => Found;
  /** Of whoever looks. */
  rights(): Rights;
}

/** Gives the statements of the connection `judge_calls` and `is_seen`. */
export function createJudging(database: DatabaseSync): Judging {
  const findEyes = createEyesFinder(database);
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

  return {
    look: (visibility) => {
      looking = visibility;
      eyes = known.get(visibility)?.deref() ?? open(visibility);
    },
    prepare: (lists) => {
      const statement = database.prepare(toJudging(lists));
      return (given) => {
        statement.all(given);
        return found;
      };
    },
    rights: () => ({
      name: eyes.rights,
      toRestrictions: (newest) => (newest > eyes.lastNumber ? lookAgain() : eyes).restrictions,
    }),
  };
}

function toBytes(list: SQLOutputValue): Uint8Array {
  if (list instanceof Uint8Array) return list;
  throw new TypeError("not a list of calls");
}
