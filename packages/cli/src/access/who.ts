// As whom a service lets a caller in, as far as it says.
import type { Schema } from "@call-media/api";
import { type CallMediaClient, isCallMediaError } from "@call-media/client";

/** The active users that the caller is told of: who has no rights over others, of themselves alone (D22). */
export async function listTold(
  client: CallMediaClient,
  signal: AbortSignal,
): Promise<readonly Schema<"UserBasicRecord">[]> {
  try {
    const params = { query: { status: "active" } } as const;
    return (await client.GET("/users/basic-info", { params, signal })).data.data;
  } catch (error) {
    // A service may refuse the question.
    if (isCallMediaError(error, "PermissionError")) return [];
    throw error;
  }
}
