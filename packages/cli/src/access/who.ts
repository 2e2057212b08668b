// Finds the user whom the credentials belong to.
import type { Schema } from "@call-media/api";
import { type CallMediaClient, isCallMediaError } from "@call-media/client";

/** The active users that the caller may see: only themselves, unless they are an administrator (D22). */
export async function listTold(
  client: CallMediaClient,
  signal: AbortSignal,
): Promise<readonly Schema<"UserBasicRecord">[]> {
  try {
    const params = { query: { status: "active" } } as const;
    return (await client.GET("/users/basic-info", { params, signal })).data.data;
  } catch (error) {
    // A service may deny this operation.
    if (isCallMediaError(error, "PermissionError")) return [];
    throw error;
  }
}
