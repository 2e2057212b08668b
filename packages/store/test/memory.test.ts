// The adapter in memory keeps the port, in a few random archives; memory.verify.ts makes all of them.
import { createMemoryStore } from "../src/memory/memory-store.ts";
import { describeStore } from "../src/suite/index.ts";

describeStore({
  adapter: "the store in memory",
  create: async (timeZone) => createMemoryStore({ timeZone }),
  hasFewRuns: true,
});
