// The adapter in memory keeps the port, in all random archives.
import { createMemoryStore } from "../src/memory/memory-store.ts";
import { describeStore } from "../src/suite/index.ts";

describeStore({
  adapter: "the store in memory",
  create: async (timeZone) => createMemoryStore({ timeZone }),
});
