// Flags: the public ones a user may use, and a user's own private ones (D22).
import { toEnvelope } from "./envelope.ts";
import type { Operations } from "./handler.ts";

export const flags = {
  listPublicFlags: async ({ caller, store }) => {
    const { allow_all_flags: seesAll, allowed_flags: allowed } = caller.user;
    return { body: toEnvelope(await store.users.publicFlags(seesAll ? undefined : allowed)) };
  },

  listPrivateFlags: async ({ input, caller, store }) => {
    const { user_id: id } = input.query;
    const isSeen = caller.user.is_admin || id === caller.user.id;
    return { body: toEnvelope(isSeen ? await store.users.privateFlags(id) : []) };
  },
} satisfies Pick<Operations, "listPublicFlags" | "listPrivateFlags">;
