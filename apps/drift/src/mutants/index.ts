// Every mutant, by class.
import { authentication } from "./authentication.ts";
import { envelopes } from "./envelopes.ts";
import { someFields } from "./fields.ts";
import { values } from "./field-values.ts";
import { errorBodies } from "./error-bodies.ts";
import { missingHeaders } from "./headers.ts";
import { identities } from "./identities.ts";
import { rights } from "./rights.ts";
import { dateInput, input } from "./input.ts";
import { base64, mediaBytes } from "./media.ts";
import { digests } from "./digests.ts";
import { ranges } from "./ranges.ts";
import type { Mutant } from "./mutant.ts";
import { awkwardValues } from "./awkward-values.ts";
import { credentials } from "./credentials.ts";
import { encodings } from "./encodings.ts";
import { hidden } from "./hidden.ts";
import { lenientInput } from "./lenient-input.ts";
import { nearIdentities } from "./near-identities.ts";
import { nearMatches } from "./near-matches.ts";
import { pageWindows } from "./page-windows.ts";
import { severalParts } from "./several-parts.ts";
import { validators } from "./validators.ts";
import { dates, orders } from "./dates.ts";
import { filters } from "./filters.ts";
import { counts, pages } from "./pages.ts";
import { rightRequests } from "./right-requests.ts";
import { statuses } from "./statuses.ts";
import { tokens } from "./tokens.ts";
import { words } from "./words.ts";

export const mutants: readonly Mutant[] = [
  someFields,
  values,
  envelopes,
  rightRequests,
  statuses,
  authentication,
  input,
  filters,
  dates,
  dateInput,
  pages,
  counts,
  orders,
  rights,
  identities,
  mediaBytes,
  base64,
  ranges,
  digests,
  missingHeaders,
  errorBodies,
  tokens,
  credentials,
  encodings,
  hidden,
  lenientInput,
  nearIdentities,
  nearMatches,
  pageWindows,
  validators,
  severalParts,
  awkwardValues,
  words,
].flat();
