// POST /Token.
import type { Operations } from "./handler.ts";

export const token = {
  createToken: async ({ input, access, origin }) => {
    const { token: body, userId: signedIn, headers } = await access.signIn(input.body, origin);
    return { body, headers, signedIn };
  },
} satisfies Pick<Operations, "createToken">;
