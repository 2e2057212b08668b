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
