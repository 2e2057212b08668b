// Writes events as log lines, for debugging.
import { toName } from "./errors.ts";
import type { ClientEvent } from "./events.ts";

/** True if CALL_MEDIA_DEBUG is set, in runtimes that have an environment. */
export function isDebugging(): boolean {
  const { env } = Object(Reflect.get(globalThis, "process")) as { env?: Record<string, unknown> };
  return ![undefined, "", "0"].includes(env?.["CALL_MEDIA_DEBUG"] as string | undefined);
}

/** Writes an event to the standard error. Like events, the lines contain no identifiers, headers, bodies or secrets. */
export function logEvent(event: ClientEvent): void {
  console.error(`call-media ${event.call} ${toName(event)}: ${toText(event)}`);
}

function toText(event: ClientEvent): string {
  if (event.type === "request") return `request ${event.attempt}`;
  if (event.type === "response") {
    const { status, afterMs, requestId = "without id" } = event;
    return `${status} after ${afterMs} ms (${requestId})`;
  }
  if (event.type === "retry")
    return `again in ${Math.round(event.waitMs)} ms, after ${toCode(event.error)}`;
  if (event.type === "token") return `token from ${event.from}`;
  if (event.type === "resume")
    return `resumed at ${event.offset} bytes, after ${toCode(event.error)}`;
  if (event.type === "end" && event.error !== undefined) return `failed: ${toCode(event.error)}`;
  return event.type;
}

/** A message may quote identifiers. */
function toCode(error: unknown): string {
  const { name, code } = Object(error) as { name?: unknown; code?: unknown };
  return [name ?? "unknown", code].filter(Boolean).join(" ");
}
