// What PostgreSQL and the way to it throw, as the port says it.
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

/** What PostgreSQL or the way to it throws, as the port says it, with a remark of ours; any other error comes back as it is. */
export function toStoreFault(error: unknown, remark?: string): unknown {
  if (error instanceof StoreFault || !(error instanceof Error)) return error;
  // Errors of the engine have a severity, those of the way to it a number: others may have a code as well.
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

/** Whether PostgreSQL, or the way to it, has said so. */
export function hasCode(error: unknown, code: string): boolean {
  const told = error instanceof StoreFault ? error.cause : error;
  return told instanceof Error && "code" in told && told.code === code;
}

/** Of one that is lost, or is about to be closed by the server. */
export function isOfConnection(error: unknown): boolean {
  const told = error instanceof StoreFault ? error.cause : error;
  if (!(told instanceof Error)) return false;
  if ("severity" in told) return told.severity === "FATAL" || told.severity === "PANIC";
  return "code" in told && /^(?:CONNECTION_|E[A-Z])/.test(String(told.code));
}
