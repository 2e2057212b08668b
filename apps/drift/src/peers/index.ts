// The other tools, in the order of the table.
import type { Peer } from "./peer.ts";
import { prism } from "./prism.ts";
import { respect } from "./respect.ts";
import { traffic } from "./traffic.ts";

export const peers: readonly Peer[] = [prism, respect, traffic];

/** Tools that belong into the table and are not in it, and why. */
export const absent = [
  "Schemathesis: not run. It was not to be had where this benchmark was written, and a runner nobody has tried proves nothing.",
];
