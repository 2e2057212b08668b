// Stops a child process and waits for its end, so that it does not affect the next measurement.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Sends SIGTERM unless the process has already ended. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill();
  await gone;
}
