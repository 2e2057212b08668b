import { defineConfig } from "vitest/config";

// Real sockets on a busy machine may take longer than the five seconds of the default.
export default defineConfig({
  test: { include: ["test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
});
