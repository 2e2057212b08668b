// POST /Token.
import type { Operations } from "./handler.ts";

export const token = {
  createToken: async ({ input, access, address }) => {
    const { token: body, headers } = await access.signIn(input.body, address);
    return { body, headers };
  },
} satisfies Pick<Operations, "createToken">;
