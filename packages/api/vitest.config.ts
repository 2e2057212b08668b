import { defineConfig } from "vitest/config";

// The linter is a program of its own; on a busy machine that takes longer than the five seconds of the default.
export default defineConfig({
  test: { include: ["test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
});
