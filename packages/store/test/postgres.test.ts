// The adapter for PostgreSQL keeps the port, as far as one pass tells; all of it runs in postgres.verify.ts.
import { describe } from "vitest";
import { describeErasedSound } from "../src/suite/erased-sound.ts";
import { describeHistory } from "../src/suite/history.ts";
import { describeImportPolicy } from "../src/suite/import-policy.ts";
import { describeImportModel } from "../src/suite/import-model.ts";
import { describeSearchModel } from "../src/suite/search-model.ts";
import { closing } from "../src/suite/stores.ts";
import { usePostgres } from "./support/postgres.ts";

const create = closing(usePostgres().create);
const few = { hasFewRuns: true };

describe.each([
  ["searches against a model", describeSearchModel],
  ["erased sound (D41)", describeErasedSound],
  ["imports and the policy (D43)", describeImportPolicy],
  ["earlier states (D42)", describeHistory],
  ["imports, erasures and scans against the adapter in memory", describeImportModel],
])("the store in PostgreSQL: %s", (_topic, describeTopic) => {
  describeTopic(create, few);
});
