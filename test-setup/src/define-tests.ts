// The one setting of all tests: which files belong to a tier, how long they may take, and that a run leaves nothing behind.
import { join } from "node:path";
import { defineConfig, type ViteUserConfigFnObject } from "vitest/config";
import type { InlineConfig } from "vitest/node";

const MINUTE_MS = 60_000;

/**
 * How long one test or hook may take. It ends what hangs and judges no speed, because the machine may be busy with anything.
 * A tier is vitest's mode: `vitest run` takes `test/x.test.ts`, `vitest run --mode verify` takes `test/x.verify.ts`.
 */
const TIERS: Readonly<Record<string, number>> = {
  test: 2 * MINUTE_MS,
  verify: 10 * MINUTE_MS,
  prove: 60 * MINUTE_MS,
};

/** What a package needs besides. Its `globalSetup` runs after the one of all packages. */
export type OwnSettings = Omit<InlineConfig, "include" | "testTimeout" | "hookTimeout" | "expect">;

/** The configuration of a package's tests, for its vitest.config.ts. The tests run in the folder of the package. */
export function defineTests(own: OwnSettings = {}): ViteUserConfigFnObject {
  return defineConfig(({ mode }) => {
    const tier = ["development", "production"].includes(mode) ? "test" : mode; // knip reads it with these
    const limit = TIERS[tier];
    if (limit === undefined) throw new Error(`no tier ${tier}: ${Object.keys(TIERS).join(", ")}`);
    return {
      test: {
        passWithNoTests: tier !== "test",
        ...own,
        include: [`test/**/*.${tier}.ts`],
        testTimeout: limit,
        hookTimeout: limit,
        // What is polled may take longer than vitest's one second.
        expect: { poll: { timeout: MINUTE_MS } },
        // The store's threads would strip types by WebAssembly, which takes half of their start and, rarely, crashes V8.
        env: {
          NODE_COMPILE_CACHE: join(process.cwd(), "node_modules/.cache/compiled"),
          ...own.env,
        },
        globalSetup: [
          join(import.meta.dirname, "leave-nothing.ts"),
          ...[own.globalSetup ?? []].flat(),
        ],
      },
    };
  });
}
