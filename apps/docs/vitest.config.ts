import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/*.test.ts"],
    globalSetup: "test/support/demo.ts",
    maxWorkers: 2,
    hookTimeout: 60_000,
    testTimeout: 60_000,
  },
});
