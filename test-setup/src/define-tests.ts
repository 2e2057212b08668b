// The one setting of all tests: which files belong to a tier, how long they may take, and that a run leaves nothing behind.
import { join } from "node:path";
import { defineConfig, type ViteUserConfigFnObject } from "vitest/config";
import type { InlineConfig } from "vitest/node";

const MINUTE_MS = 60_000;

/** How long one test or hook may take. It ends what hangs and judges no speed, because the machine may be busy with anything. */
const TIERS = {
  test: 2 * MINUTE_MS,
  verify: 10 * MINUTE_MS,
  prove: 60 * MINUTE_MS,
} as const;

export type Tier = keyof typeof TIERS;

/** What a package needs besides. Its `globalSetup` runs after the one of all packages. */
export interface OwnSettings extends Omit<
  InlineConfig,
  "include" | "testTimeout" | "hookTimeout" | "expect"
> {
  /** Files of the other tiers that `prove` runs once more. They read `CALL_MEDIA_TIER`, and then do more. */
  readonly provedAgain?: readonly string[];
}

/**
 * The configuration of a package's tests, for its vitest.config.ts. The tests run in the folder of the package. The tier is
 * vitest's mode: `vitest run` takes `test/x.test.ts`, `vitest run --mode verify` takes `test/x.verify.ts`.
 */
export function defineTests(
  toOwn: (tier: Tier) => OwnSettings = () => ({}),
): ViteUserConfigFnObject {
  return defineConfig(({ mode }) => {
    const tier = parseTier(mode);
    const { provedAgain = [], globalSetup = [], env, ...own } = toOwn(tier);
    return {
      test: {
        passWithNoTests: true,
        ...own,
        include: [`test/**/*.${tier}.ts`, ...(tier === "prove" ? provedAgain : [])],
        testTimeout: TIERS[tier],
        hookTimeout: TIERS[tier],
        // What is polled may take longer than vitest's one second.
        expect: { poll: { timeout: MINUTE_MS } },
        env: {
          CALL_MEDIA_TIER: tier,
          // The store's threads would strip types by WebAssembly, which takes half of their start and, rarely, crashes V8.
          NODE_COMPILE_CACHE: join(process.cwd(), "node_modules/.cache/compiled"),
          ...env,
        },
        globalSetup: [join(import.meta.dirname, "leave-nothing.ts"), ...[globalSetup].flat()],
      },
    };
  });
}

function parseTier(mode: string): Tier {
  if (mode in TIERS) return mode as Tier; // as its keys are
  if (mode === "development" || mode === "production") return "test"; // knip reads the configuration with these
  throw new Error(`there is no tier ${mode}: use ${Object.keys(TIERS).join(", ")}`);
}
