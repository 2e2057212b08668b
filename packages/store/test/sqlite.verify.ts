// The SQLite adapter keeps the port, in all random archives and on the disk.
import { createStore } from "../src/sqlite/sqlite-store.ts";
import { describeStore } from "../src/suite/index.ts";
import { createFolder } from "./support/archives.ts";

describeStore({
  adapter: "the SQLite store",
  create: async (timeZone) => createStore({ directory: await createFolder(), timeZone }),
});
