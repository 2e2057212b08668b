// All laws, by the kind of relation that they judge.
import type { Kind } from "../relations/kinds.ts";
import { echoLaw } from "./echo.ts";
import { filterLaw } from "./filter.ts";
import type { Law } from "./law.ts";
import { pageLaw } from "./page.ts";
import { sameAsLaw } from "./same-as.ts";

export const laws = {
  page: pageLaw,
  filter: filterLaw,
  sameAs: sameAsLaw,
  echo: echoLaw,
} satisfies {
  readonly [Name in Kind]?: Law<Name>;
};
