// POST /Token.
import type { Operations } from "./handler.ts";

export const token = {
  createToken: async ({ input, access, origin }) => {
    const { token: body, headers } = await access.signIn(input.body, origin);
    return { body, headers };
  },
} satisfies Pick<Operations, "createToken">;
