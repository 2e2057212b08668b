import { defineConfig } from "vitest/config";

// A command is a process of its own, and a busy machine may take seconds to start a dozen of them.
export default defineConfig({
  test: { include: ["test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
});
