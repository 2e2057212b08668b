// A server in a process of its own, so that its CPU time is separate from that of the load.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { stopProcess } from "./stop-process.ts";

export interface Server extends AsyncDisposable {
  readonly port: number;
  /** CPU time of the server so far, user and system, all its threads, in microseconds. */
  cpuUs(): Promise<number>;
}

/** Starts a module of this folder; it must call `reportTo`. Throws when it ends before it listens. */
export async function startServer(
  module: string,
  ...arguments_: readonly string[]
): Promise<Server> {
  const child = fork(fileURLToPath(new URL(module, import.meta.url)), arguments_);
  const ended = once(child, "exit").then(() => {
    throw new Error(`${module} ended before it was asked to`);
  });
  ended.catch(() => {}); // after the end of the measurement nobody waits for it
  const receive = async (): Promise<number> => {
    const [value] = await Promise.race([once(child, "message"), ended]);
    return Number(value);
  };
  const port = await receive();
  return {
    port,
    cpuUs: () => {
      const answer = receive();
      child.send("cpu");
      return answer;
    },
    [Symbol.asyncDispose]: () => stopProcess(child),
  };
}

/** The child's side: reports the port, then its CPU time on each request. */
export function reportTo(port: number): void {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.on("disconnect", () => process.exit());
  process.send?.(port);
}
