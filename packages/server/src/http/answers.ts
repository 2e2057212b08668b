// The responses in flight, by caller. The service limits nobody while it has room. When it is full, a new response replaces
// another one. The caller with the most responses in flight loses the one that has stalled for the longest time (D23).
import { serviceFull } from "./errors.ts";
import type { Answers, Exchange } from "./exchange.ts";

// A caller's response that has not moved for this time makes room for the caller's next one.
const STALLED_MS = 1_000;

interface Caller {
  readonly name: string;
  /** The exchanges whose responses are in flight. */
  readonly exchanges: Set<Exchange>;
}

export function createAnswers(maxAnswers: number): Answers {
  const callers = new Map<string, Caller>();
  let inFlight = 0;
  const leave = ({ name, exchanges }: Caller, exchange: Exchange) => {
    if (!exchanges.delete(exchange)) return;
    inFlight -= 1;
    if (exchanges.size === 0) callers.delete(name);
  };
  const enter = (exchange: Exchange, credential: string | undefined): Caller => {
    const name = credential ?? `from ${exchange.origin}`;
    const caller = callers.get(name) ?? { name, exchanges: new Set() };
    callers.set(name, caller);
    caller.exchanges.add(exchange);
    inFlight += 1;
    exchange.progress.movedMs = performance.now();
    exchange.response.once("close", () => leave(caller, exchange));
    return caller;
  };
  const cut = (caller: Caller, exchange: Exchange) => {
    leave(caller, exchange);
    exchange.progress.gaveWay = true;
    exchange.request.socket.destroy();
  };
  return {
    admit: (exchange, credential) => {
      if (exchange.response.closed) return;
      const own = enter(exchange, credential);
      if (inFlight <= maxAnswers) return;
      const most = findMost(own, callers.values());
      const stillest = findStillest(most);
      const isStalled = performance.now() - stillest.progress.movedMs >= STALLED_MS;
      if (most !== own || isStalled) return cut(most, stillest);
      leave(own, exchange);
      throw serviceFull();
    },
  };
}

// The caller itself if no other has more.
const findMost = (own: Caller, others: Iterable<Caller>): Caller =>
  [...others].reduce(
    (most, next) => (next.exchanges.size > most.exchanges.size ? next : most),
    own,
  );

const findStillest = ({ exchanges }: Caller): Exchange =>
  [...exchanges].reduce((stillest, next) =>
    next.progress.movedMs < stillest.progress.movedMs ? next : stillest,
  );
