// All laws, by the kind of relation that they check.
import type { Kind } from "../relations/kinds.ts";
import { bytesLaw } from "./bytes.ts";
import { countLaw } from "./count.ts";
import { defaultLaw } from "./default.ts";
import { distinctLaw } from "./distinct.ts";
import { echoLaw } from "./echo.ts";
import { filterLaw } from "./filter.ts";
import { impliesLaw } from "./implies.ts";
import type { Law } from "./law.ts";
import { lifecycleLaw } from "./lifecycle.ts";
import { orderLaw } from "./order.ts";
import { pageLaw } from "./page.ts";
import { partitionLaw } from "./partition.ts";
import { perCallerLaw } from "./per-caller.ts";
import { projectionLaw } from "./projection.ts";
import { rangeLaw } from "./range.ts";
import { refusalLaw } from "./refusal.ts";
import { sameAsLaw } from "./same-as.ts";
import { signInLaw } from "./sign-in.ts";
import { stableLaw } from "./stable.ts";
import { subsetLaw } from "./subset.ts";

export const laws: { readonly [Name in Kind]: Law<Name> } = {
  page: pageLaw,
  filter: filterLaw,
  range: rangeLaw,
  order: orderLaw,
  count: countLaw,
  sameAs: sameAsLaw,
  echo: echoLaw,
  subset: subsetLaw,
  partition: partitionLaw,
  distinct: distinctLaw,
  projection: projectionLaw,
  implies: impliesLaw,
  default: defaultLaw,
  lifecycle: lifecycleLaw,
  perCaller: perCallerLaw,
  bytes: bytesLaw,
  signIn: signInLaw,
  refusal: refusalLaw,
  stable: stableLaw,
};
