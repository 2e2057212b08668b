// Failed sign-ins, counted for all servers of an archive together: else N servers would give N times the tries (D23, D31).

/** Failures in a row of one key. */
export interface Failures {
  readonly count: number;
  /** How long the last one is ago, in ms. */
  readonly agoMs: number;
}

export interface SignIns {
  /** In the order of the keys; those of more than `forgetAfterMs` ago are none. Throws `StoreFault`. */
  read(keys: readonly string[], forgetAfterMs: number): Promise<readonly Failures[]>;
  /** Resolves with what `check` says. Throws `StoreFault`, and what its functions throw: then nothing is counted. */
  attempt(keys: readonly string[], attempt: SignInAttempt): Promise<boolean>;
}

/** Done while no other sign-in with one of its keys is, on any server. */
export interface SignInAttempt {
  readonly forgetAfterMs: number;
  /** Throws when these failures are too many. */
  readonly judge: (failures: readonly Failures[]) => void;
  /** True forgets the failures of each key, false adds one. */
  readonly check: () => Promise<boolean>;
}
