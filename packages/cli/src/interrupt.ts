// Ctrl-C: the command under way ends in order.
import { UsageError } from "./failures/usage-error.ts";

/** Is aborted by Ctrl-C or SIGTERM. A second one finds no listener and ends the program at once. */
export function createInterrupt(): AbortSignal {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new UsageError("stopped by Ctrl-C")));
  process.once("SIGTERM", () => stop.abort(new UsageError("stopped by SIGTERM")));
  return stop.signal;
}
