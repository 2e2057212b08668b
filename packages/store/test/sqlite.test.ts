// The SQLite adapter keeps the port, as far as one pass tells; all of it runs on the disk in sqlite.verify.ts.
import { createStore } from "../src/sqlite/sqlite-store.ts";
import { describeStore } from "../src/suite/index.ts";
import { createFolder } from "./support/archives.ts";

describeStore({
  adapter: "the SQLite store",
  create: async (timeZone) => createStore({ directory: await createFolder(), timeZone }),
  isShort: true,
  hasFewRuns: true,
});
