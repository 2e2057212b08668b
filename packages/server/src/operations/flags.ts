// Flags: the public ones a user may use, and a user's own private ones (D22).
import { toMatchKey } from "@call-media/store";
import { toEnvelope } from "./envelope.ts";
import type { Operations } from "./handler.ts";

export const flags = {
  listPublicFlags: async ({ caller, store }) => {
    const { allow_all_flags: seesAll, allowed_flags: allowed } = caller.user;
    const names = new Set(allowed.map((name) => toMatchKey("Name", name)));
    const all = await store.users.publicFlags();
    return {
      body: toEnvelope(all.filter(({ Name }) => seesAll || names.has(toMatchKey("Name", Name)))),
    };
  },

  listPrivateFlags: async ({ input, caller, store }) => {
    const { user_id: id } = input.query;
    const isSeen = caller.user.is_admin || id === caller.user.id;
    return { body: toEnvelope(isSeen ? await store.users.privateFlags(id) : []) };
  },
} satisfies Pick<Operations, "listPublicFlags" | "listPrivateFlags">;
