// The one setting of all tests: which files belong to a tier, how long they may take, and that a run leaves nothing behind.
import { join } from "node:path";
import { configDefaults, defineConfig, type ViteUserConfigFnObject } from "vitest/config";
import type { InlineConfig } from "vitest/node";
import { RunReporter } from "./run-reporter.ts";

const MINUTE_MS = 60_000;

/** How long one test or hook may take. It ends what hangs and judges no speed, because the machine may be busy with anything. */
const TIERS = {
  test: 2 * MINUTE_MS,
  verify: 10 * MINUTE_MS,
  prove: 60 * MINUTE_MS,
} as const;

export type Tier = keyof typeof TIERS;

/** Further settings of a package. Its `globalSetup` runs after the one of all packages. */
export interface OwnSettings extends Omit<
  InlineConfig,
  "include" | "testTimeout" | "hookTimeout" | "expect" | "setupFiles"
> {
  /** Files of the other tiers that `prove` runs once more. They read `CALL_MEDIA_TIER`, and then do more. */
  readonly provedAgain?: readonly string[];
  /** Files of `test` that `verify` runs once more, because their temporary files are on a disk there. */
  readonly verifiedAgain?: readonly string[];
  /** Temporary files are on a disk in `test` too: what is installed there is linked to the store of packages on that disk. */
  readonly onDisk?: boolean;
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
    const { provedAgain, verifiedAgain, onDisk, globalSetup = [], env, ...own } = toOwn(tier);
    const again = { test: [], verify: verifiedAgain ?? [], prove: provedAgain ?? [] };
    return {
      test: {
        passWithNoTests: true,
        // A process for each file, with all its imports, took more time than many a file's tests.
        isolate: false,
        unstubEnvs: true,
        unstubGlobals: true,
        restoreMocks: true,
        reporters: [...configDefaults.reporters, new RunReporter()],
        ...own,
        include: [`test/**/*.${tier}.ts`, ...again[tier]],
        testTimeout: TIERS[tier],
        hookTimeout: TIERS[tier],
        // A poll may take longer than the one second of vitest.
        expect: { poll: { timeout: MINUTE_MS } },
        env: {
          CALL_MEDIA_TIER: tier,
          // The store's threads would strip types by WebAssembly, which takes half of their start and, rarely, crashes V8.
          NODE_COMPILE_CACHE: join(process.cwd(), "node_modules/.cache/compiled"),
          GIT_CONFIG_GLOBAL: join(import.meta.dirname, "gitconfig"),
          GIT_CONFIG_NOSYSTEM: "1",
          ...(onDisk === true && { CALL_MEDIA_TEST_DISK: "1" }),
          ...env,
        },
        setupFiles: [join(import.meta.dirname, "each-file.ts")],
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
