// The answers in flight, by caller. While there is room nobody is limited. In a full service a new answer takes the place of another:
// the caller with most answers in flight gives way, and of those the one that has not moved for longest (D23).
import { serviceFull } from "./errors.ts";
import type { Exchange } from "./exchange.ts";

// A caller's own answer gives way to the caller's next one once it has not moved for so long.
const STALLED_MS = 1_000;

export interface Answers {
  /** Counts the exchange until its answer has been sent. Throws 503 when the service is full and no other caller has more. */
  readonly admit: (exchange: Exchange) => void;
}

export function createAnswers(maxAnswers: number): Answers {
  const callers = new Map<string, Set<Exchange>>();
  let inFlight = 0;
  const leave = (exchange: Exchange) => {
    const caller = toCaller(exchange);
    const own = callers.get(caller);
    if (own?.delete(exchange) !== true) return;
    inFlight -= 1;
    if (own.size === 0) callers.delete(caller);
  };
  const cut = (exchange: Exchange) => {
    leave(exchange);
    exchange.gaveWay = true;
    exchange.request.socket.destroy();
  };
  return {
    admit: (exchange) => {
      if (exchange.response.closed) return;
      const caller = toCaller(exchange);
      const own = callers.get(caller) ?? new Set();
      callers.set(caller, own.add(exchange));
      inFlight += 1;
      exchange.movedMs = performance.now();
      exchange.response.once("close", () => leave(exchange));
      if (inFlight <= maxAnswers) return;
      const most = [...callers.values()].reduce((a, b) => (b.size > a.size ? b : a), own);
      const stillest = findStillest(most);
      if (most === own && performance.now() - stillest.movedMs < STALLED_MS) {
        leave(exchange);
        throw serviceFull();
      }
      cut(stillest);
    },
  };
}

// Without credentials an address is a caller; all whose address is not known are one.
const toCaller = ({ caller, origin }: Exchange): string => caller?.credential ?? `from ${origin}`;

const findStillest = (exchanges: ReadonlySet<Exchange>): Exchange =>
  [...exchanges].reduce((one, next) => (next.movedMs < one.movedMs ? next : one));
