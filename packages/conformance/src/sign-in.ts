// Signs callers in before the run: by the operation of a `signIn` rule, with the bodies that the target has for it.
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@call-media/contract-diff";
import type { Answer, Caller } from "./ask.ts";
import { Ended } from "./http/sender.ts";
import type { ApiTarget } from "./report.ts";
import type { Run } from "./run.ts";
import { at } from "./values/places.ts";

/** Throws `Ended` if a caller is not let in: no check would be right then. */
export async function signIn(run: Run, { first, bodies, secondBody }: ApiTarget): Promise<void> {
  const rule = run.relations.rules.find((one) => one.kind === "signIn");
  const [operation] = rule?.of ?? [];
  if (rule?.kind !== "signIn" || operation === undefined) return;
  const enter = async (name: string, body: JsonObject, who: string): Promise<Caller> => {
    const answer = await run.askAgain({ operation, body, caller: null });
    const token = at(answer.json, rule.token);
    if (!answer.isSuccess)
      throw new Ended(`signing in${who} was answered ${toStatusText(answer)}`, true);
    if (typeof token !== "string" || token === "")
      throw new Ended(`signing in${who} brought no ${rule.token}`, true);
    run.succeeded.add(operation);
    if (name === "first") run.found.successes.set(operation, answer);
    return { name, headers: { Authorization: `Bearer ${token}` }, query: {} };
  };
  const body = bodies?.[operation];
  if (first === undefined && body !== undefined) run.callers.first = await enter("first", body, "");
  if (secondBody !== undefined && isDeepStrictEqual(secondBody, body))
    throw new Ended("the second caller is the first one: it proves no right", true);
  if (secondBody !== undefined)
    run.callers.second = await enter("second", secondBody, " as the second caller");
}

/** A redirect is never followed: it would send the secret to another host. */
function toStatusText({ status, came }: Answer): string {
  const location = came.headers["location"];
  return location === undefined ? String(status) : `${status}, to ${location}`;
}
