// The chat of a call: its messages, or their text.
import type { Schema } from "@call-media/api";
import { type CallMediaClient, isCallMediaError, NotFoundError } from "@call-media/client";

export type Message = Schema<"ChatMessageRecord">;

/**
 * In the order of the service. Undefined if it does not know the chat (404): there is none, for which D15 requires an
 * empty list, or the service has no chats.
 */
export async function readChat(
  client: CallMediaClient,
  call_id: string,
  signal: AbortSignal,
): Promise<readonly Message[] | undefined> {
  try {
    const params = { path: { call_id } };
    return (await client.GET("/chat/by-call-id/{call_id}", { params, signal })).data.data;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** The messages of a call as text, one message per line. */
export async function readChatText(
  client: CallMediaClient,
  call_id: string,
  signal: AbortSignal,
): Promise<string> {
  const messages = (await readChat(client, call_id, signal)) ?? [];
  return messages.map(({ transcript }) => transcript ?? "").join("\n");
}

/** The same; undefined if the caller may not read it. */
export async function readChatTextIfAllowed(
  client: CallMediaClient,
  call_id: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await readChatText(client, call_id, signal);
  } catch (error) {
    if (isCallMediaError(error, "PermissionError")) return undefined;
    throw error;
  }
}
