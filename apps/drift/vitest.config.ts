import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // The store's threads would strip types by WebAssembly, which takes half of their start and, rarely, crashes V8.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compiled") },
    // A check of a whole service takes seconds on a busy machine.
    hookTimeout: 120_000,
    testTimeout: 120_000,
  },
});
