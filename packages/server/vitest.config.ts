import { join } from "node:path";
import { defineConfig } from "vitest/config";

// A command is a process of its own, and a busy machine may take seconds to start a dozen of them; what is polled may take
// longer than the one second of the default.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // The store's threads would strip types by WebAssembly, which takes half of their start and, rarely, crashes V8.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compiled") },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
