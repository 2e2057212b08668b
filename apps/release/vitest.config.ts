import { defineConfig } from "vitest/config";

// Packages are packed, installed and run: each step is a process of its own, slow on a busy machine.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/pack.ts",
    testTimeout: 120_000,
    hookTimeout: 600_000,
  },
});
