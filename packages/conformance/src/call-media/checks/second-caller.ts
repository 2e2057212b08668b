// The second caller: who they are, and which records their security rights cover (D21).
import { type OperationId, recordRights } from "@call-media/api";
import { toMatchKey } from "../archive/records.ts";
import { type Answer, type Ask, type JsonObject, recordsOf } from "../answer.ts";
import { unless } from "../run.ts";
import type { Context } from "./check.ts";

/** The second caller as the first one sees them. */
export interface Second {
  readonly ask: (ask: Ask) => Promise<Answer>;
  readonly user: JsonObject;
  readonly rights: JsonObject;
}

/** Something asked as the second caller that is not theirs: `fault` says what came nonetheless. */
export interface Attempt {
  readonly operation: OperationId;
  readonly fault: string | undefined;
}

/** Who the second caller is; a sentence when that cannot be told. */
export async function meet({
  run,
  restricted,
  sample: { users },
}: Context): Promise<Second | string> {
  if (restricted === undefined) return "no second caller was given";
  const ask = (request: Ask) => run.ask({ ...request, authorization: restricted.authorization });
  const seen = await ask({ operation: "listUsers", query: { status: "all" } });
  const own = recordsOf(seen);
  const fault = unless(own.length === 1, `a caller with fewer rights lists ${own.length} users`);
  run.prove("rights.users", seen, fault);
  run.observe({
    decision: "D22",
    question: "Whom does a caller with fewer rights list?",
    observed: fault === undefined ? "themselves alone" : `${own.length} users`,
    value: own.length,
    agrees: fault === undefined,
  });
  const [listed] = own;
  const user = users.find(({ id }) => id === listed?.["id"]);
  if (own.length !== 1 || user === undefined)
    return "it cannot be told which user the second caller is";
  const answer = await run.recall({
    operation: "getUserSecurityRights",
    query: { user_id: String(user["id"]) },
  });
  const [rightsOf] = recordsOf(answer);
  return rightsOf === undefined
    ? "the first caller may not read the rights of the second"
    : { ask, user, rights: rightsOf };
}

/** Whether a record may be seen; no value counts as one that is not listed. */
export function covers({ rights: of }: Second, record: JsonObject): boolean {
  return recordRights.every(({ allowAll, allowed, field }) => {
    const values = of[allowed];
    const value = record[field];
    if (of[allowAll] === true) return true;
    if (!Array.isArray(values) || value === null || value === undefined) return false;
    return values.some((other) => toMatchKey(field, other) === toMatchKey(field, value));
  });
}
