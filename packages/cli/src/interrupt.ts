// Ctrl-C: the command under way ends in order.
import { UsageError } from "./failures/usage-error.ts";
import { io } from "./io.ts";

/** SIGHUP comes where a terminal is closed or a connection ends. */
const SIGNALS = { SIGINT: "Ctrl-C", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP" } as const;

/** Is aborted by the first of these. A second one of the same finds no listener and ends the program at once. */
export function createInterrupt(): AbortSignal {
  const run = io();
  if (run.interrupt !== undefined) return run.interrupt;
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => {
      run.stoppedBy ??= signal;
      stop.abort(new UsageError(`stopped by ${SIGNALS[signal]}`));
    });
  return stop.signal;
}
