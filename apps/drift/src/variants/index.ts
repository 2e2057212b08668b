// Every conforming variant.
import { records } from "./records.ts";
import { refusals } from "./refusals.ts";
import { searches } from "./searches.ts";
import { streams } from "./streams.ts";
import { writings } from "./writings.ts";
import type { Variant } from "./variant.ts";
import { words } from "./words.ts";

export const variants: readonly Variant[] = [
  ...searches,
  ...refusals,
  ...streams,
  ...records,
  ...writings,
  ...words,
];
