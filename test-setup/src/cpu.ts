// The CPU time of this process and of those that it started and waited for.
import { readFileSync } from "node:fs";

/** Ticks per second on every Linux (`getconf CLK_TCK`). */
const TICKS = 100;

/** The CPU time in seconds. Only Linux includes processes that have ended; elsewhere it is the time of this process. */
export function readCpuSeconds(): number {
  if (process.platform !== "linux") {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The second field is the name of the program, which may have blanks and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user = 0, system = 0, ofEnded = 0, systemOfEnded = 0] = fields.slice(11, 15).map(Number);
  return (user + system + ofEnded + systemOfEnded) / TICKS;
}
