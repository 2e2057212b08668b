import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Models and whole calendars are gone through; on a busy machine that takes longer than the five seconds of the default.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // The store's threads would strip types by WebAssembly, which takes half of their start and, rarely, crashes V8.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compiled") },
    globalSetup: "test/support/temporary-folder.ts",
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
