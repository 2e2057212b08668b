import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/*.test.ts"],
    maxWorkers: 1,
    hookTimeout: 120_000,
    testTimeout: 120_000,
    // A page on a busy machine may take longer than the one second of the default.
    expect: { poll: { timeout: 60_000 } },
  },
});
