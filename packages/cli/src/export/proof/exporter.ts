// Determines the exporting user, for the report.
import { isCallMediaError } from "@call-media/client";
import type { Exporter } from "@call-media/handover";
import { toBy } from "../../access/connect.ts";
import type { ParsedTarget } from "../../access/target.ts";
import { findCaller } from "../../access/who.ts";
import { PROGRAM, readVersion } from "../../version.ts";
import type { Plan } from "../plan/plan.ts";
import type { SearchContext } from "../plan/search-days.ts";
import { retry } from "../throttle/retry.ts";

export async function findExporter(
  search: SearchContext,
  { target }: ParsedTarget,
  { redact }: Plan,
): Promise<Exporter> {
  // The user may be an agent whose name is masked.
  const user = redact.length > 0 ? null : await retry(() => findUser(search));
  return { by: toBy(target), user, program: `${PROGRAM} ${readVersion()}` };
}

async function findUser({ client, signal }: SearchContext): Promise<string | null> {
  try {
    const { user } = await findCaller(client, signal);
    // Some services list a user without a name.
    const { username }: { username?: unknown } = Object(user);
    return typeof username === "string" ? username : null;
  } catch (error) {
    const isGeneral = GENERAL.some((name) => isCallMediaError(error, name));
    if (isGeneral || !isCallMediaError(error)) throw error;
    return null; // the service has no users, or other than the contract describes
  }
}

/** Errors that every other request would cause too. */
const GENERAL = ["AuthenticationError", "AbortError", "ConnectionError", "TimeoutError"] as const;
