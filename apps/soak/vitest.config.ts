import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/*.test.ts"],
    globalSetup: "test/support/demo.ts",
    // A fault keeps its machine busy: two at once would only be two slow ones.
    fileParallelism: false,
    hookTimeout: 60_000,
    testTimeout: 600_000,
  },
});
