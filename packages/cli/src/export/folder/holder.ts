// The holder of a lock: which process it is, and whether it is still working.
import { readFile, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { ifMissing } from "../../failures/system-error.ts";
import { console } from "@call-media/terminal";
import { parseJson } from "./read.ts";

interface Holder {
  readonly host: string;
  readonly pid: number;
  /** Start of the process as the system counts it, because pids are reused. Empty if unknown. */
  readonly began: string;
}

/** The text of a holder that is this process. */
export async function describeSelf(): Promise<string> {
  const { pid } = process;
  const began = await readStart(pid);
  return JSON.stringify({ host: hostname(), pid, began } satisfies Holder);
}

/** Undefined if there is no such file. */
export const readHolder = (file: string): Promise<string | undefined> =>
  readFile(file, "utf8").catch(ifMissing(undefined));

/** Undefined if a loss of power truncated the file. */
function parseHolder(text: string): Partial<Holder> | undefined {
  const holder = parseJson(text);
  return typeof holder === "object" && holder !== null ? holder : undefined;
}

/** Other machines can only see that the file is touched. */
const BEAT_MS = 2_000;

/** Network file systems may show a change some seconds late. */
const SILENCE_MS = 15_000;

/** Touches the file of `self`. If the file has another holder, the heartbeat ends and `onLost` is called. */
export function startHeartbeat(file: string, self: string, onLost: () => void) {
  const timer = setInterval(() => void beat().catch(() => {}), BEAT_MS); // the disk may be unreachable for a while
  const end = () => clearInterval(timer);
  async function beat(): Promise<void> {
    const isOwn = (await readHolder(file)) === self;
    if (isOwn) return await utimes(file, new Date(), new Date());
    end();
    onLost();
  }
  return { end };
}

/** Describes where the holder works; undefined if it no longer does. A holder on another machine is watched for 15 seconds. */
export async function findWorkingHolder(
  file: string,
  text: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const holder = parseHolder(text);
  if (holder === undefined) return undefined;
  const { host, pid } = holder;
  if (host === hostname()) return (await isRunning(holder)) ? `it is process ${pid}` : undefined;
  console.info(`looking for ${SILENCE_MS / 1000} s whether the export on ${host} is at work`);
  return (await isTouched(file, signal)) ? `it is on ${host}` : undefined;
}

/** True if the holder was a process of this machine that has ended. */
export async function isDeadHere(text: string): Promise<boolean> {
  const holder = parseHolder(text);
  return holder?.host === hostname() && !(await isRunning(holder));
}

const isRunning = async ({ pid = 0, began }: Partial<Holder>) =>
  isAlive(pid) && (await readStart(pid)) === began;

async function isTouched(file: string, signal: AbortSignal): Promise<boolean> {
  const before = await readTouched(file);
  for (let waitedMs = 0; waitedMs < SILENCE_MS; waitedMs += BEAT_MS) {
    await sleep(BEAT_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    if ((await readTouched(file)) !== before) return true;
  }
  return false;
}

/**
 * The time comes from the other machine's clock, so it can only be compared with another such value. Undefined if the lock was released.
 */
async function readTouched(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Field 22 of /proc/PID/stat (proc(5)), after the name in brackets. Only Linux has this file. */
async function readStart(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
