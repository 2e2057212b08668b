// Turns at a few places, such as threads or connections. A caller with many requests waits for its own, and others do not wait for it
// (D23).

/** A request that waits for a place. */
export interface Waiting {
  /** The caller; undefined: one that is not distinguished from others. */
  readonly by: string | undefined;
}

export interface TurnOptions<Turn extends Waiting> {
  readonly places: number;
  /** Its turn has come: it has a place until `end`. */
  readonly start: (turn: Turn) => void;
  /**
   * Interrupts a turn, which then waits again: its caller has more than half of the places, and another caller has arrived.
   * Without it no caller ever gets more than half.
   */
  readonly takeBack?: (turn: Turn) => void;
}

export interface Turns<Turn extends Waiting> {
  readonly add: (turn: Turn) => void;
  /** True if it was still waiting. */
  readonly remove: (turn: Turn) => boolean;
  /** Frees its place. `isCut`: it was interrupted, and waits before the others of its caller. */
  readonly end: (turn: Turn, isCut?: boolean) => void;
  readonly countWaiting: () => number;
  /** The turn to drop if too many wait: the newest of the caller with the most, or of `by` if nobody has more. */
  readonly newestOfMost: (by: string | undefined) => Turn | undefined;
}

/** A caller counts as present for this time after a request; meanwhile no other caller gets more than half of the places. */
const THERE_MS = 60_000;

/** A free place goes to the caller with the fewest places; if several have equally few, to the one that was served longest ago. */
export function createTurns<Turn extends Waiting>(options: TurnOptions<Turn>): Turns<Turn> {
  const { places, start, takeBack } = options;
  const half = Math.ceil(places / 2);
  const running = new Set<Turn>();
  const leaving = new Set<Turn>();
  const queues = new Map<string | undefined, Turn[]>();
  const lastAsked = new Map<string | undefined, number>();

  const note = (by: string | undefined): void => {
    const now = performance.now();
    lastAsked.delete(by);
    lastAsked.set(by, now);
    for (const [other, at] of lastAsked) {
      if (now - at <= THERE_MS) return;
      lastAsked.delete(other);
    }
  };
  const countOf = (by: string | undefined): number =>
    [...running].filter((turn) => turn.by === by).length;
  const next = (): void => {
    const most = takeBack !== undefined && lastAsked.size === 1 ? places : half;
    while (running.size < places) {
      const callers = [...queues.keys()].map((by) => ({ by, held: countOf(by) }));
      const [first] = callers.filter(({ held }) => held < most).toSorted((a, b) => a.held - b.held);
      const turn = first && take(first.by);
      if (turn === undefined) return;
      running.add(turn);
      start(turn);
    }
  };
  /** The queue moves behind the others. */
  const take = (by: string | undefined): Turn | undefined => {
    const [turn, ...others] = queues.get(by) ?? [];
    queues.delete(by);
    if (others.length > 0) queues.set(by, others);
    return turn;
  };
  const makeRoom = (by: string | undefined): void => {
    if (running.size < places || countOf(by) > 0 || leaving.size > 0) return;
    const lent = [...running].findLast((turn) => countOf(turn.by) > half);
    if (lent === undefined || takeBack === undefined) return;
    leaving.add(lent);
    takeBack(lent);
  };

  return {
    add: (turn) => {
      const { by } = turn;
      note(by);
      queues.set(by, [...(queues.get(by) ?? []), turn]);
      makeRoom(by);
      next();
    },
    remove: (turn) => {
      const own = queues.get(turn.by) ?? [];
      const left = own.filter((one) => one !== turn);
      if (left.length > 0) queues.set(turn.by, left);
      else queues.delete(turn.by);
      return left.length < own.length;
    },
    end: (turn, isCut = false) => {
      running.delete(turn);
      leaving.delete(turn);
      if (isCut) queues.set(turn.by, [turn, ...(queues.get(turn.by) ?? [])]);
      next();
    },
    countWaiting: () => [...queues.values()].reduce((sum, { length }) => sum + length, 0),
    newestOfMost: (by) =>
      [...queues.values()]
        .reduce((most, queue) => (queue.length > most.length ? queue : most), queues.get(by) ?? [])
        .at(-1),
  };
}
