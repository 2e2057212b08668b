// Converts errors of PostgreSQL and of the connection to faults of the port.
import { StoreFault } from "../port/faults.ts";

export const WRONG_PASSWORD = "28P01";

export const PROTOCOL_VIOLATION = "08P01";

export const READ_ONLY = "25006";

const REASONS: Readonly<Record<string, StoreFault["reason"]>> = {
  "57014": "busy", // statement_timeout
  "55P03": "busy", // lock_timeout
  "40001": "busy",
  "40P01": "busy",
  "53200": "busy",
  "53300": "busy",
  "53100": "full",
  XX001: "damaged",
  XX002: "damaged",
};

const BUSY = "this takes the archive too long: ask for less, or try again later";

const NO_LOCKS =
  "the database has no room for the locks of so many imports at once: run fewer, or raise its max_locks_per_transaction (each " +
  "import takes up to 1,000 of max_locks_per_transaction times max_connections)";

/** Converts an error of PostgreSQL or of the connection to a `StoreFault`, with the remark. Returns any other error unchanged. */
export function toStoreFault(error: unknown, remark?: string): unknown {
  if (error instanceof StoreFault || !(error instanceof Error)) return error;
  // PostgreSQL's errors have a severity, network errors an errno. Other errors may have a code too.
  if (!("severity" in error || "errno" in error)) return error;
  if (!("code" in error) || typeof error.code !== "string") return error;
  const reason = REASONS[error.code] ?? "unavailable";
  const told = [error.message, ...(remark === undefined ? [] : [remark])].join("; ");
  const message = isOfLocks(error)
    ? NO_LOCKS
    : reason === "busy"
      ? BUSY
      : `the archive could not be read or written: ${told}`;
  return new StoreFault(reason, message, { cause: error });
}

const isOfLocks = (error: Error) =>
  "hint" in error && String(error.hint).includes("max_locks_per_transaction");

/** A fault of another place, met in a transaction. As it is, it could pass for one of the connection, which is not rolled back. */
export class FaultElsewhere extends Error {
  readonly fault: unknown;

  constructor(fault: unknown) {
    super("another place failed");
    this.fault = fault;
  }
}

/** For work in another place, in a transaction: see `FaultElsewhere`. */
export async function elsewhere<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new FaultElsewhere(error);
  }
}

/** True if PostgreSQL or the connection reported this code. */
export function hasCode(error: unknown, code: string): boolean {
  const told = error instanceof StoreFault ? error.cause : error;
  return told instanceof Error && "code" in told && told.code === code;
}

/** True if the connection is lost, or the server is about to close it. */
export function isOfConnection(error: unknown): boolean {
  const told = error instanceof StoreFault ? error.cause : error;
  if (!(told instanceof Error)) return false;
  if ("severity" in told) return told.severity === "FATAL" || told.severity === "PANIC";
  return "code" in told && /^(?:CONNECTION_|E[A-Z])/.test(String(told.code));
}
