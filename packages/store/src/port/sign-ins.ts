// Counts failed sign-ins for all servers of an archive together: otherwise N servers would allow N times the attempts (D23, D31).

/** Consecutive failures for one key. */
export interface Failures {
  readonly count: number;
  /** The time since the last one, in ms. */
  readonly agoMs: number;
}

export interface SignIns {
  /** In the order of the keys. Failures more than `forgetAfterMs` ago do not count. Throws `StoreFault`. */
  read(keys: readonly string[], forgetAfterMs: number): Promise<readonly Failures[]>;
  /** Resolves with the result of `check`. Throws `StoreFault`, and what its functions throw; then nothing is counted. */
  attempt(keys: readonly string[], attempt: SignInAttempt): Promise<boolean>;
}

/** Runs while no other sign-in with one of its keys runs, on any server. */
export interface SignInAttempt {
  readonly forgetAfterMs: number;
  /** Throws if these are too many failures. */
  readonly judge: (failures: readonly Failures[]) => void;
  /** True clears the failures of each key, false adds one. */
  readonly check: () => Promise<boolean>;
}
