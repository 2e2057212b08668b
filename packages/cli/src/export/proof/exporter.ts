// Who exports, for the report: no more than the service says, and never a secret.
import { isCallMediaError } from "@call-media/client";
import type { Exporter } from "@call-media/handover";
import { toBy } from "../../access/connect.ts";
import type { ParsedTarget } from "../../access/target.ts";
import { listTold } from "../../access/who.ts";
import { tryAgain } from "../asking/passing.ts";
import type { Asked } from "../plan/days.ts";
import type { Plan } from "../plan/plan.ts";

export async function findExporter(
  asked: Asked,
  { target }: ParsedTarget,
  { redact }: Plan,
): Promise<Exporter> {
  // The name may be one of those that are masked.
  const user = redact.length > 0 ? null : await tryAgain(() => findUser(asked));
  return { by: toBy(target), user };
}

async function findUser({ client, signal }: Asked): Promise<string | null> {
  try {
    const told = await listTold(client, signal);
    // Whatever the contract has, a service may list nothing for a user, or one without a name.
    const { username }: { username?: unknown } = Object(told[0]);
    return typeof username === "string" && told.length === 1 ? username : null;
  } catch (error) {
    const isOfAll = OF_ALL.some((name) => isCallMediaError(error, name));
    if (isOfAll || !isCallMediaError(error)) throw error;
    return null; // a service that has no users to tell of, or not as the contract has them
  }
}

/** What no other request would fare better with. */
const OF_ALL = ["AuthenticationError", "AbortError", "ConnectionError", "TimeoutError"] as const;
