import { defineConfig } from "vitest/config";

// A command is a process of its own, and a busy machine may take seconds to start a dozen of them; what is polled may take
// longer than the one second of the default.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
