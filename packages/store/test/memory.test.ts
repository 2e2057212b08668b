// The adapter in memory keeps the port.
import { createMemoryStore } from "../src/memory/memory-store.ts";
import { describeCallStore } from "./suite/call-store-suite.ts";

describeCallStore("the store in memory", async (timeZone) => createMemoryStore({ timeZone }));
