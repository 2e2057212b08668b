// The browser of the tests. Chromium comes with the packages on Linux x64; elsewhere an installed one is used.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LaunchOptions, Page, PageScreenshotOptions } from "playwright-core";

/** Where it is unpacked: some 200 MB, once for each install. */
const CACHE = join(import.meta.dirname, "../node_modules/.cache");
const UNPACKED = join(CACHE, "chromium-153.0.0");

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * The arguments of Chromium. The package's own list (`sparticuz.args`) switches off web security and site isolation. A test of
 * attacks between sites would then prove nothing.
 */
const ARGS = [
  "--no-sandbox", // a container's root has none
  "--disable-background-networking",
  "--disable-gpu",
];

const isBrought = process.platform === "linux" && process.arch === "x64";
const installed = INSTALLED.find((path) => existsSync(path));

/** True if this machine has a browser. If not, a line on standard error says so, and its tests are skipped. */
export const hasChromium = isBrought || installed !== undefined;
if (!hasChromium) console.warn(`SKIPPED: the tests in a browser; none of ${INSTALLED.join(", ")}`);

/**
 * For `chromium.launch()` and `chromium.launchPersistentContext()` of playwright-core. `args` come after those that each test needs.
 * @throws if the machine has no browser: see {@link hasChromium}
 */
export function toLaunchOptions(args: readonly string[] = []): LaunchOptions {
  const executablePath = isBrought ? unpack() : installed;
  if (executablePath === undefined) throw new Error("this machine has no Chromium");
  // Its own fonts where the machine has none; a page would have no text.
  const fonts =
    isBrought && !existsSync("/etc/fonts") ? { FONTCONFIG_PATH: join(UNPACKED, "fonts") } : {};
  return {
    executablePath,
    args: [...ARGS, ...args],
    headless: true,
    env: { ...process.env, ...fonts },
  };
}

/** Chromium now and then refuses a picture, and takes the same one when it is asked again. */
export async function takeScreenshot(page: Page, options: PageScreenshotOptions): Promise<Buffer> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await page.screenshot(options);
    } catch (error) {
      const isRefused = String(error).includes("Unable to capture screenshot");
      if (!isRefused || attempt === 3) throw error;
      await page.waitForTimeout(500);
    }
}

/** Several runs may do so at a time: each unpacks for itself, and the first that is done keeps its own. */
function unpack(): string {
  if (!existsSync(UNPACKED)) {
    mkdirSync(CACHE, { recursive: true });
    const folder = mkdtempSync(join(CACHE, "unpacking-"));
    const script = 'await (await import("@sparticuz/chromium")).default.executablePath()';
    // It unpacks into the folder for temporary files.
    execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: import.meta.dirname,
      env: { ...process.env, TMPDIR: folder },
    });
    try {
      renameSync(folder, UNPACKED);
    } catch (error) {
      rmSync(folder, { recursive: true });
      if (!existsSync(UNPACKED)) throw error;
    }
  }
  return join(UNPACKED, "chromium");
}
