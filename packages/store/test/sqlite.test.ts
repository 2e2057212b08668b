// The SQLite adapter keeps the port, as far as one pass tells; all of it runs on the disk in sqlite.verify.ts.
import { describeStore } from "../src/suite/index.ts";
import { createLifeStore, LIFE } from "./support/life.ts";

describeStore({
  adapter: "the SQLite store",
  create: createLifeStore,
  life: LIFE,
  isShort: true,
  hasFewRuns: true,
});
