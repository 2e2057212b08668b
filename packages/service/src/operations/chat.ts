// The chat of a call.
import { toEnvelope } from "./envelope.ts";
import type { Operations } from "./handler.ts";

export const chat = {
  getChatByCallId: async ({ input, caller, store }) => ({
    body: toEnvelope(await store.calls.chat(input.path.call_id, caller.visibility)),
  }),
} satisfies Pick<Operations, "getChatByCallId">;
