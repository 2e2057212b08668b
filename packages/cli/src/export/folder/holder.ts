// Who works in a folder: told in its lock, and kept true while they do.
import { readFile, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { ifMissing } from "../../failures/system-error.ts";
import { console } from "../../io.ts";
import { parseJson } from "./parse-json.ts";

interface Holder {
  readonly host: string;
  readonly pid: number;
  /** When the process began, as the system counts it: a pid is given out again. Empty where that is not known. */
  readonly began: string;
}

/** The text of a holder that is this process. */
export async function describeSelf(): Promise<string> {
  const { pid } = process;
  return JSON.stringify({
    host: hostname(),
    pid,
    began: await readBeginning(pid),
  } satisfies Holder);
}

/** Undefined where there is none. */
export async function readHolder(file: string): Promise<string | undefined> {
  return await readFile(file, "utf8").catch(ifMissing(undefined));
}

/** Of a process of another machine nothing is seen but that it touches its file. */
const BEAT_MS = 2_000;

/** Network file systems may tell of a change some seconds later. */
const SILENCE_MS = 15_000;

/** Touches the file of `self` until it is ended, or the file is another's: that is told by `onLost`. */
export function keepBeating(file: string, self: string, onLost: () => void) {
  const timer = setInterval(() => void beat().catch(() => {}), BEAT_MS); // the disk may be away for a while
  const end = () => clearInterval(timer);
  async function beat(): Promise<void> {
    const isOwn = (await readHolder(file)) === self;
    if (isOwn) return await utimes(file, new Date(), new Date());
    end();
    onLost();
  }
  return { end };
}

/** Who works there; undefined where the holder does no longer. Of one on another machine that takes a quarter of a minute. */
export async function findAtWork(
  file: string,
  text: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const holder = parseJson(text);
  if (typeof holder !== "object" || holder === null) return undefined; // cut off by a loss of power
  const { host, pid = 0, began } = holder as Partial<Holder>;
  if (host !== hostname()) {
    console.error(`looking for ${SILENCE_MS / 1000} s whether the export on ${host} is at work`);
    return (await isBeating(file, signal)) ? `it is on ${host}` : undefined;
  }
  const isAtWork = isAlive(pid) && (await readBeginning(pid)) === began;
  return isAtWork ? `it is process ${pid}` : undefined;
}

async function isBeating(file: string, signal: AbortSignal): Promise<boolean> {
  const before = await readTouched(file);
  for (let waitedMs = 0; waitedMs < SILENCE_MS; waitedMs += BEAT_MS) {
    await sleep(BEAT_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    if ((await readTouched(file)) !== before) return true;
  }
  return false;
}

/** By the clock of whoever touched it, so that two are compared with each other alone. */
async function readTouched(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs; // given back meanwhile
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there, but of another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** proc(5): field 22 of stat, which comes after the name in brackets. Other systems have no such file. */
async function readBeginning(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
