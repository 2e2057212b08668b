// An error as it may stand in a log: what kind, why, where in the program, and what caused it.

export interface Fault {
  readonly type: string;
  readonly message?: string;
  readonly code?: unknown;
  readonly at?: readonly string[];
  readonly cause?: Fault;
}

const MAX_CAUSES = 4;

/** Whatever was thrown. A message that quotes what could not be parsed is left out: that may come from a record. */
export function toFault(thrown: unknown, depth = 0): Fault {
  if (!(thrown instanceof Error)) return { type: typeof thrown };
  const { name, message, stack = "", cause } = thrown;
  return {
    type: name,
    ...(!(thrown instanceof SyntaxError) && { message }),
    ...("code" in thrown && { code: thrown.code }),
    at: [...stack.matchAll(/^ +at (.+)$/gm)].map(([, frame = ""]) => frame),
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: toFault(cause, depth + 1) }),
  };
}
