import { defineConfig } from "vitest/config";

// Models and whole calendars are gone through; on a busy machine that takes longer than the five seconds of the default.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/temporary-folder.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
