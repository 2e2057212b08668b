// A conforming variant: a service that behaves differently where the interface leaves it open.
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

/** Variants of one decision by id: the operation, the difference, and the mutation. */
export function toVariants(
  decision: string,
  rows: Readonly<Record<string, readonly [Variant["operation"], says: string, Variant["mutate"]]>>,
): readonly Variant[] {
  return Object.entries(rows).map(([id, [operation, says, mutate]]) => ({
    id,
    decision,
    operation,
    says,
    mutate,
  }));
}
