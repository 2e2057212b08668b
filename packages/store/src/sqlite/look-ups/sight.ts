// Somebody's sight of the calls that an identifier names (D21): their rights, judged by the numbers that calls carry in the
// indexes by identifier, so that what may not be seen is passed over without being read, and in a time that does not tell of it.
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { Visibility } from "../../call-store.ts";
import { createCrowdSight } from "../crowds/crowd-sight.ts";
import { prepareArrays } from "../files/connection.ts";
import { readAtOnce } from "../files/transaction.ts";
import { type Identifier, OTHERS } from "../identifiers.ts";
import { createJudging, IS_SEEN } from "./judging.ts";

/** The rows of an identifier that are seen, each an array of its columns. Throws `RecordDamaged`. */
export type Look = (name: string, visibility: Visibility) => SQLOutputValue[][];

// SQLite never exchanges the two sides of a CROSS JOIN.
const FOUND = "(SELECT value AS found FROM json_each(:found)) CROSS JOIN call ON call.id = found";

/**
 * Makes look-ups, and gives their statements functions of JavaScript. One takes the same steps whatever is hidden: of each stretch
 * of the index it judges few calls, those of the identifier and those beside them; then `LEAST_CALLS` of crowds. So a clock does not
 * tell a hidden call from one that does not exist.
 */
export function createSight(database: DatabaseSync) {
  const judging = createJudging(database);
  const crowds = createCrowdSight(database);

  const prepareFinding = (identifier: Identifier) => {
    const { first, most, stretches } = identifier;
    const judgeFirst = judging.prepare(first);
    const lacking = `max(1, 1 + ${most} * ${stretches} - :judged)`;
    const judgeOthers = judging.prepare(`${OTHERS} LIMIT ${lacking}`);
    const findInCrowd = crowds.prepareFinding(identifier);
    return (name: string): ReadonlySet<string> => {
      const { calls, ids } = judgeFirst({ name });
      judgeOthers({ name, judged: calls });
      return new Set([...ids, ...findInCrowd(name, judging.rights())]);
    };
  };

  return {
    /** `toStatement` makes a SELECT of what its arguments, a FROM with `call` in it and a WHERE, give. */
    prepareLook: (
      identifier: Identifier,
      toStatement: (from: string, where: string) => string,
    ): Look => {
      const prepare = (from: string, where: string) => {
        const statement = prepareArrays(database, toStatement(from, where));
        return (given: Record<string, SQLInputValue>) => statement.all(given);
      };
      const selectAll = prepare("call", identifier.where);
      const selectFound = prepare(FOUND, `${identifier.isOne} AND ${IS_SEEN}`);
      const find = prepareFinding(identifier);
      return (name, visibility) => {
        if (visibility.length === 0) return selectAll({ name });
        judging.look(visibility);
        return readAtOnce(database, () => {
          const ids = [...find(name)].join();
          return ids === "" ? [] : selectFound({ name, found: `[${ids}]` });
        });
      };
    },
  };
}
