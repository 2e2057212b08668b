import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // redocly takes half a second a comparison on an idle machine, and several seconds on a busy one.
    testTimeout: 120_000,
  },
});
