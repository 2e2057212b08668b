// Searches by beginnings of words in memory, the model of what the others do.
import { describe } from "vitest";
import { createMemoryStore } from "../src/memory/memory-store.ts";
import { describeBeginnings } from "./support/beginnings.ts";

describe("the memory store", () => {
  describeBeginnings(async () => createMemoryStore());
});
