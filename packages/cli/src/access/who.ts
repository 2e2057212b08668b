// Finds the user whom the credentials belong to.
import type { Schema } from "@call-media/api";
import { type CallMediaClient, isCallMediaError, readCaller } from "@call-media/client";

/** The service's information about the caller. */
export interface Told {
  /** Undefined if the user is unknown. */
  readonly user: Partial<Schema<"UserBasicRecord">> | undefined;
  /** The active users that the caller may see: only themselves, unless they are an administrator (D22). */
  readonly users: readonly Schema<"UserBasicRecord">[];
}

/** Reads the service's statement (D39), or else uses the only user that the caller sees. */
export async function findCaller(client: CallMediaClient, signal: AbortSignal): Promise<Told> {
  try {
    const params = { query: { status: "active" } } as const;
    const { data, response } = await client.GET("/users/basic-info", { params, signal });
    const users = data.data;
    const caller = readCaller(response.headers);
    // Some services list null, contrary to the contract.
    const own = users.find((user) => caller !== undefined && Object(user).id === caller.id);
    const [only, another] = users;
    return { user: own ?? caller ?? (another === undefined ? only : undefined), users };
  } catch (error) {
    // A service may deny this operation.
    if (isCallMediaError(error, "PermissionError")) return { user: undefined, users: [] };
    throw error;
  }
}
