import { defineConfig } from "vitest/config";

// The gate is a program of its own, and so is its second opinion; on a busy machine each takes longer than the five seconds of the
// default.
export default defineConfig({
  test: { include: ["test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
});
