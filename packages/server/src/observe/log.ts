// The service's log: a line for each request and each event, on standard error; JSON for programs, text for people.
import { type Logger, pino } from "pino";
import type { Account } from "../http/exchange.ts";
import { io, type Output } from "@call-media/terminal";
import { PROBES } from "./health.ts";
import { toFault } from "./log-fault.ts";
import { toText } from "./log-text.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export const LOG_FORMATS = ["json", "text"] as const;

export interface LogOptions {
  /** Lower levels are left out: requests are `info`, probes of health `debug`, failures `error`. */
  readonly level: (typeof LOG_LEVELS)[number];
  readonly format: (typeof LOG_FORMATS)[number];
}

export interface Log {
  readonly events: Logger;
  /**
   * Writes one line for a request that has ended. Nothing in it comes from a record, a header or a path; from a body only the
   * secretID of a failed sign-in.
   */
  readonly onEnd: (account: Account) => void;
  /** Resolves when every line has been written, or when nobody reads them and the program has to end without. */
  readonly close: () => Promise<void>;
}

const STANDARD_ERROR = 2;

// A system call for each line, in another thread, would cost more than the line. So some two hundred lines are written together,
// and none waits for long.
const GATHERED_BYTES = 60 * 1024;
const MAX_WRITE_BYTES = 64 * 1024;
const FLUSH_EVERY_MS = 100;

// If nobody reads standard error, lines are dropped beyond this: a log must not use up the memory of the service.
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

// Applied twice: for the log, and then for everything else that is still to be closed.
const CLOSE_WITHIN_MS = 3_000;

export function createLog({ level, format }: LogOptions): Log {
  const isText = format === "text";
  const { stderr } = io();
  const destination = stderr === process.stderr ? openStandardError(isText) : toDestination(stderr);
  const toLine = isText ? (line: string) => toText(JSON.parse(line)) : (line: string) => line;
  const events = pino(
    {
      level,
      base: null,
      timestamp: createTimestamp(),
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: toFault },
    },
    { write: (line) => destination.write(toLine(line)) },
  );
  return { events, onEnd: createRequestLog(events), close: destination.close };
}

/** The destination of the lines. */
interface Destination {
  readonly write: (line: string) => void;
  readonly close: Log["close"];
}

function openStandardError(isText: boolean): Destination {
  const destination = pino.destination({
    dest: STANDARD_ERROR,
    maxLength: MAX_WAITING_BYTES,
    maxWrite: MAX_WRITE_BYTES,
    ...(isText
      ? { sync: true }
      : { sync: false, minLength: GATHERED_BYTES, periodicFlush: FLUSH_EVERY_MS }),
    // A growing string would be measured again with each line, at half of the cost of a line.
    contentMode: "buffer",
  });
  return {
    // The types of the destination allow only text.
    write: (line) => void destination.write(Buffer.from(line) as unknown as string),
    close: () => close(destination),
  };
}

/** The stream of a run within another program. */
function toDestination(stream: Output): Destination {
  return { write: (line) => void stream.write(line), close: async () => {} };
}

// Lines of the same millisecond share the text of their time: formatting it takes as long as the rest of the line.
function createTimestamp(): () => string {
  let lastMs = Number.NaN;
  let text = "";
  return () => {
    const nowMs = Date.now();
    if (nowMs !== lastMs) text = `,"time":"${new Date(nowMs).toISOString()}"`;
    lastMs = nowMs;
    return text;
  };
}

function createRequestLog(events: Logger): Log["onEnd"] {
  const doubts = new Set<string>();
  const warnOnce = ({ doubt, requestId, address }: Account) => {
    if (doubt === undefined || doubts.has(doubt)) return;
    doubts.add(doubt);
    events.warn({ requestId, address }, doubt);
  };
  return (account) => {
    const { requestId, method, status, failure, userId, page } = account;
    const line = {
      requestId,
      method,
      operation: account.operationId ?? page,
      status,
      bytes: account.bytesSent,
      ms: Math.round(account.durationMs * 1_000) / 1_000,
      address: account.address,
      userId,
      via: account.isSession ? "session" : undefined,
      secretID: account.triedID,
      code: account.code,
    };
    const isProbe = page !== undefined && PROBES.has(page);
    if (!isProbe) warnOnce(account);
    if (failure !== undefined) events.error({ ...line, err: failure }, "request failed");
    else if (isProbe) events.debug(line, "request");
    else if (account.gaveWay) events.warn(line, "request cut to make room for another caller");
    else events.info(line, account.isWhole ? "request" : "request cut");
  };
}

async function close(destination: ReturnType<typeof pino.destination>): Promise<void> {
  const isTaken = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), CLOSE_WITHIN_MS);
    destination.flush(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
  // A write that nobody reads blocks a thread, for which even process.exit waits.
  if (!isTaken) setTimeout(() => process.kill(process.pid, "SIGKILL"), CLOSE_WITHIN_MS).unref();
}
