// An error in the form for a log: its kind, its message, its place in the program, and its cause.
import { hideSecrets } from "@call-media/service";

export interface Fault {
  readonly type: string;
  readonly message?: string;
  readonly code?: unknown;
  readonly at?: readonly string[];
  readonly cause?: Fault;
}

const MAX_CAUSES = 4;

/** Any thrown value. A message that quotes unparsable text is left out: the text may come from a record. No message contains a secret. */
export function toFault(thrown: unknown, depth = 0): Fault {
  if (!(thrown instanceof Error)) return { type: typeof thrown };
  const { name, message, stack = "", cause } = thrown;
  return {
    type: name,
    ...(!(thrown instanceof SyntaxError) && { message: hideSecrets(message) }),
    ...("code" in thrown && { code: thrown.code }),
    at: [...stack.matchAll(/^ +at (.+)$/gm)].map(([, frame = ""]) => frame),
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: toFault(cause, depth + 1) }),
  };
}
