// Stops the running command on Ctrl-C and other signals.
import { io, UsageError } from "@call-media/terminal";

/** Systems send SIGHUP when a terminal is closed or a connection ends. */
const SIGNALS = { SIGINT: "Ctrl-C", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP" } as const;

/** The first signal aborts it. A second one of the same kind ends the program immediately. */
export function createInterrupt(): AbortSignal {
  const run = io();
  const { signals = process } = run;
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    signals.once(signal, () => {
      run.stoppedBy ??= signal;
      stop.abort(new UsageError(`stopped by ${SIGNALS[signal]}`));
    });
  return stop.signal;
}
