import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { FaultReporter } from "./test/support/fault-reporter.ts";
import { isLong } from "./test/support/scale.ts";

export default defineConfig({
  test: {
    include: ["test/*.test.ts"],
    // The store's threads would strip types by WebAssembly, which takes half of their start and, rarely, crashes V8.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compiled") },
    globalSetup: "test/support/demo.ts",
    reporters: isLong ? [new FaultReporter()] : ["default"],
    // Most of a test's time is that of the processes it starts; the long form has the machine to itself.
    maxWorkers: isLong ? 1 : 2,
    hookTimeout: 120_000,
    testTimeout: isLong ? 3_600_000 : 300_000,
  },
});
