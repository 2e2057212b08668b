// Ctrl-C: the command under way ends in order.
import { UsageError } from "./failures/usage-error.ts";
import { io } from "./io.ts";

/** SIGHUP comes where a terminal is closed or a connection ends. */
const SIGNALS = { SIGINT: "Ctrl-C", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP" } as const;

/** Is aborted by the first of these. A second one of the same finds no listener and ends the program at once. */
export function createInterrupt(): AbortSignal {
  const { interrupt } = io();
  if (interrupt !== undefined) return interrupt;
  const stop = new AbortController();
  for (const [signal, name] of Object.entries(SIGNALS))
    process.once(signal, () => stop.abort(new UsageError(`stopped by ${name}`)));
  return stop.signal;
}
