// POST /Token.
import type { Operations } from "./handler.ts";

export const token = {
  createToken: async ({ request, input, access }) => {
    const { token: body, userId, headers } = await access.signIn(input.body, request.origin);
    return { body, headers, signedIn: userId };
  },
} satisfies Pick<Operations, "createToken">;
