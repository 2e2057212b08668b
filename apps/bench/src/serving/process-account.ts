// The kernel's figures for processes: CPU time and memory. Only Linux reports them this way.
import { readFileSync } from "node:fs";

// USER_HZ, which is 100 on every architecture that Node.js runs on.
const US_PER_TICK = 10_000;

/** CPU time so far, user and system, of all threads of these processes, in microseconds. */
export function readCpuUs(pids: readonly number[]): number {
  return sum(pids, (pid) => addTicks(pid, 11)); // proc(5): fields 14 and 15, of which the first two are cut off
}

/** The same for all child processes that have ended, in total: fields 16 and 17. */
export function readEndedCpuUs(): number {
  return addTicks(process.pid, 13);
}

function addTicks(pid: number, from: number): number {
  // The program's name precedes the fields in brackets, and may contain any character.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  const [user, system] = fields.slice(from, from + 2);
  return (Number(user) + Number(system)) * US_PER_TICK;
}

/** The peak resident memory of each process, added up, in bytes. */
export function readPeakBytes(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const [, kilobytes] =
      /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) * 1_024;
  });
}

/** The process and its direct children: a program with its workers. */
export function withChildren(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return [pid, ...text.split(" ").filter(Boolean).map(Number)];
}

function sum(pids: readonly number[], read: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + read(pid), 0);
}
