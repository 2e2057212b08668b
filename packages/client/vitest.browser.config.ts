// The same test files in headless Chromium, over real HTTP: `pnpm --filter @call-media/client runtimes`.
import { fileURLToPath } from "node:url";

import { toLaunchOptions } from "@call-media/test-setup/chromium";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";

import {
  closePageServer,
  openPageServer,
  stepResponse,
  takeRequest,
} from "./test/runtimes/page/commands.ts";

const inPage = (name: string) =>
  fileURLToPath(new URL(`test/runtimes/page/${name}`, import.meta.url));

/** What these files need that a page has not. */
const EXCLUDED: Readonly<Record<string, string>> = {
  "browser-page": "a service in memory, which is of Node.js",
  "browser-secret": "the guard that is off here",
  "dropped-streams": "garbage collection on demand",
  "fake-service": "msw/node",
  "openapi-fetch": "garbage collection on demand",
  "time-outs": "events of the server",
  browser: "the package's files",
  bundles: "bundlers, and processes to run what they make",
  "common-js": "processes of Node.js",
  documentation: "the package's files",
  downloads: "node:fs",
  errors: "node:util",
  events: "node:util",
  examples: "the package's files",
  interleavings: "node:crypto",
  "json-bounds": "node:zlib",
  "call-options": "a service in memory, which is of Node.js",
  loopback: "node:http",
  networks: "undici",
  opentelemetry: "AsyncLocalStorage",
  "named-recordings": "a service in memory, which is of Node.js",
  recordings: "node:fs",
  runtimes: "a browser to start",
  secrets: "node:util",
  size: "the package's files",
  "time-zones": "a service in memory, which is of Node.js",
};

export default defineConfig({
  resolve: {
    alias: [
      { find: /^.*\/http-server\.ts$/, replacement: inPage("http-server.ts") },
      { find: "node:timers/promises", replacement: inPage("timers.ts") },
    ],
  },
  plugins: [
    {
      name: "a page may have secrets",
      // The guard would refuse every test; browser-secret.test.ts is about it.
      transform: (code, id) =>
        id.endsWith("/src/options.ts") ? code.replace("!isPage()", "true") : undefined,
    },
  ],
  test: {
    include: ["test/*.test.ts"],
    exclude: Object.keys(EXCLUDED).map((name) => `test/${name}.test.ts`),
    testTimeout: 60_000,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      commands: { closePageServer, openPageServer, stepResponse, takeRequest },
      provider: playwright({
        // The service is another origin than the page, and no test is about CORS.
        launchOptions: toLaunchOptions(["--disable-web-security"]),
      }),
      instances: [{ browser: "chromium" }],
    },
  },
});
