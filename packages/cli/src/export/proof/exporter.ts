// Who exports, for the report: no more than the service says, and never a secret.
import { isCallMediaError } from "@call-media/client";
import { type Connection, toBy } from "../../access/connect.ts";
import type { ParsedTarget } from "../../access/target.ts";
import { listTold } from "../../access/who.ts";
import { tryAgain } from "../asking/passing.ts";
import type { Asked } from "../plan/days.ts";
import type { Plan } from "../plan/plan.ts";

export interface Exporter {
  readonly by: Connection["by"];
  /** The user name; null where the service tells of more than one user or of none, and where fields are masked. */
  readonly user: string | null;
}

export function isExporter(value: unknown): value is Exporter {
  const { by, user } = Object(value) as Partial<Exporter>;
  return (by === "application" || by === "API key") && (user === null || typeof user === "string");
}

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

/** "an application of ana.kovac", "an API key (user unknown)" */
export function toExporterWords({ by, user }: Exporter): string {
  const words = by === "application" ? "an application" : "an API key";
  return user === null ? `${words} (user unknown)` : `${words} of ${user}`;
}
