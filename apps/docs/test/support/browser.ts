// Chromium, which can reach the service and nothing else, and what it meets on a page.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toLaunchOptions } from "@call-media/test-setup/chromium";
import type Axe from "axe-core";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

const PATIENCE_MS = 100_000;

const OPTIONS = [
  "--disable-quic",
  "--no-first-run",
  "--disable-component-update",
  "--disable-sync",
  // Every other host is unknown.
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
];

export interface Visit {
  readonly page: Page;
  /** Every warning and error of the page, and every request to another host. */
  readonly faults: readonly string[];
}

export interface Browser extends AsyncDisposable {
  readonly visit: (path: string) => Promise<Visit>;
}

/** A browser with an empty profile. `root` is where the site is. */
export async function openBrowser(root: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), "call-media-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    ...toLaunchOptions(OPTIONS),
    viewport: { width: 1280, height: 900 },
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  // A busy machine may need more than the 30 seconds of Playwright. The test has its own limit.
  context.setDefaultTimeout(PATIENCE_MS);
  return {
    visit: (path) => visit(context, root, path),
    [Symbol.asyncDispose]: async () => {
      await context.close();
      // Processes of its own may write there a moment longer.
      await rm(profile, { recursive: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

async function visit(context: BrowserContext, root: string, path: string): Promise<Visit> {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    const isOutside = !/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(root);
    if (isOutside) faults.push(`asked for ${request.url()}`);
  });
  const response = await page.goto(root + path, { waitUntil: "load" });
  if (response?.status() !== 200) faults.push(`${path} is answered ${response?.status()}`);
  return { page, faults };
}

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** All of axe's rules, or those named; `exclude` is left out. */
export interface AxeScope {
  readonly rules?: readonly string[];
  readonly exclude?: string;
}

/** What axe finds, a line for each rule that is broken. */
export async function findBarriers(page: Page, scope: AxeScope = {}): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(async ({ rules, exclude }) => {
    // The script above has put it there.
    const { run } = (globalThis as unknown as { axe: Pick<typeof Axe, "run"> }).axe;
    const context = exclude === undefined ? document : { exclude: [exclude] };
    return run(context, {
      resultTypes: ["violations"],
      ...(rules === undefined ? {} : { runOnly: [...rules] }),
    });
  }, scope);
  return violations.map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join("\n")}`,
  );
}

/** The label of Redoc's own search. It appears once the menu works, and is hidden where the site has a search. */
export const OWN_SEARCH = /^Search Ctrl/;

/** Resolves when the page has this width: it hears of a new one a moment after the browser has it. */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await expect.poll(() => page.evaluate(() => globalThis.innerWidth)).toBe(width);
}
