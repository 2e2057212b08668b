// Every mutant.
import { bodies } from "./bodies.ts";
import { someFields } from "./fields.ts";
import { filters } from "./filters.ts";
import { missingHeaders } from "./headers.ts";
import { identities } from "./identities.ts";
import { input } from "./input.ts";
import { media } from "./media.ts";
import type { Mutant } from "./mutant.ts";
import { pages } from "./pages.ts";
import { rights } from "./rights.ts";
import { signIn } from "./sign-in.ts";
import { statuses } from "./statuses.ts";
import { streams } from "./streams.ts";
import { values } from "./values.ts";
import { words } from "./words.ts";

export const mutants: readonly Mutant[] = [
  ...someFields,
  ...values,
  ...bodies,
  ...statuses,
  ...signIn,
  ...input,
  ...filters,
  ...pages,
  ...rights,
  ...identities,
  ...media,
  ...streams,
  ...missingHeaders,
  ...words,
];
