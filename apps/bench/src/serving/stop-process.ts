// The end of a process that was started: it is waited for, so that nothing of it is left in the next measurement.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** SIGTERM, unless it has ended already. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill();
  await gone;
}
