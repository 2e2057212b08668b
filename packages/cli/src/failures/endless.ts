// Answers that begin and do not end in time, which the client tells as it tells silence.
import { type ClientEvent, isCallMediaError } from "@call-media/client";

const endless = new WeakSet<object>();

/** For `onEvent` of a client: takes note of its errors that are of such an answer. */
export function createEndlessWatch(): (event: ClientEvent) => void {
  /** Calls whose latest request has the head of its answer. */
  const begun = new Set<number>();
  return (event) => {
    if (event.type === "response") begun.add(event.call);
    else if (event.type === "request") begun.delete(event.call);
    else if (event.type === "end") {
      const { error, call } = event;
      if (begun.delete(call) && isCallMediaError(error, "TimeoutError")) endless.add(error);
    }
  };
}

export function isEndless(error: object): boolean {
  return endless.has(error);
}
