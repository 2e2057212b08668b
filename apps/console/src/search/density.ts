// The height of the list's rows.
import { kept } from "../kept.ts";

export const DENSITIES = ["dense", "usual", "wide"] as const;
export type Density = (typeof DENSITIES)[number];

export const density = kept<Density>("density", "usual", (value) =>
  DENSITIES.find((one) => one === value),
);
