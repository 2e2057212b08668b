// A conforming variant: a service that behaves differently where the interface leaves it open.
import { type Rows, toDrifts } from "../mutants/mutant.ts";
import type { Drift } from "../proxy.ts";

export interface Variant extends Drift {
  readonly id: string;
  /** The decision on which this service differs. */
  readonly decision: string;
  /** The behaviour of the service, as text. */
  readonly says: string;
  /** True if it leaves too little to find for combining it with another variant. */
  readonly standsAlone?: true;
}

/** The variants of one decision. */
export const toVariants = (decision: string, rows: Rows): readonly Variant[] =>
  toDrifts({ decision }, rows);
