// The SQLite adapter keeps the port, in all random archives and on the disk.
import { describeStore } from "../src/suite/index.ts";
import { createLifeStore, LIFE } from "./support/life.ts";

describeStore({
  adapter: "the SQLite store",
  create: createLifeStore,
  life: LIFE,
});
