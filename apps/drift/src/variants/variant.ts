// A lawful variant: a service that behaves differently where the interface leaves it open.
import type { Drift } from "../proxy.ts";

export interface Variant extends Drift {
  readonly id: string;
  /** The decision that this service took otherwise. */
  readonly decision: string;
  /** The behaviour of the service, as text. */
  readonly says: string;
  /** Leaves a checker so little to find that it would meet no other variant. */
  readonly standsAlone?: true;
}

/** Variants of one decision by their ids: where the service differs, what it does there, and how. */
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
