import { defineConfig } from "vitest/config";

// Real sockets on a busy machine may take longer than the defaults: five seconds for a test, one for what is polled.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
