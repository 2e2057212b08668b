// The closed table of the fifteen operations: a missing one, or a response with a wrong field, does not compile.
import { chat } from "./chat.ts";
import { flags } from "./flags.ts";
import type { Operations } from "./handler.ts";
import { metadata } from "./metadata.ts";
import { recordings } from "./recordings.ts";
import { token } from "./token.ts";
import { users } from "./users.ts";

export const operations = {
  ...token,
  ...metadata,
  ...users,
  ...recordings,
  ...flags,
  ...chat,
} satisfies Operations;
