import { defineConfig } from "vitest/config";

// Whole documents are compared; on a busy machine that takes longer than the five seconds of the default.
export default defineConfig({
  test: { include: ["test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
});
