import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Making the demo archive, and bundling the contract, take seconds on a busy machine.
    hookTimeout: 60_000,
    testTimeout: 120_000,
  },
});
