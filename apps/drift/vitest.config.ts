import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // A check of a whole service takes seconds on a busy machine.
    hookTimeout: 60_000,
    testTimeout: 120_000,
  },
});
