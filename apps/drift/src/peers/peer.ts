// The interface of another tool, to be measured on the same mutants and variants.
import type { Demo } from "../demo.ts";
import type { Drift } from "../proxy.ts";

export interface Peer {
  readonly id: string;
  /** Its head in the table. */
  readonly name: string;
  /** The tool's input, and the results that count as caught. */
  readonly given: string;
  /** Throws when the tool complains of the service as it is in a way that would hide what it sees. */
  readonly open: (demo: Demo) => Promise<Judge>;
}

export interface Judge extends AsyncDisposable {
  /** True if the tool sees this drift. One question at a time. */
  readonly judge: (drift: Drift) => Promise<boolean>;
}

/** A service that does not drift. */
export const UNCHANGED: Drift = { operation: "every", mutate: (answer) => answer };
