// The console in Chromium, and what the page complains of.
import { toLaunchOptions } from "@call-media/test-setup/chromium";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Errors and warnings of the page, what its policy refused among them. */
  readonly faults: readonly string[];
  /** Goes to another page of the console, as its links do. */
  readonly go: (hash: string) => Promise<void>;
  /** Addresses of what was asked for, without the origin. */
  readonly asked: readonly string[];
}

const HOSTS = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE *.localhost";

/** A browser with nothing in it, at the console of `baseUrl`. */
export async function openConsole(
  baseUrl: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const browser = await chromium.launch(
    toLaunchOptions([HOSTS, "--autoplay-policy=no-user-gesture-required"]),
  );
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
    ...options,
  });
  // A busy machine may need more than the 30 seconds of Playwright. The test has its own limit.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const faults: string[] = [];
  const asked: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) =>
    asked.push(`${request.method()} ${request.url().slice(baseUrl.length)}`),
  );
  await page.goto(`${baseUrl}/console/`);
  return {
    page,
    faults,
    asked,
    go: (hash) => page.evaluate((to) => void (location.hash = to), hash),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

export async function signIn(page: Page, apiKey: string): Promise<void> {
  await page.getByLabel("API key").fill(apiKey);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: /^Account / }).waitFor();
}

export async function signInAs(
  page: Page,
  { secretID, secretKey }: { readonly secretID: string; readonly secretKey: string },
): Promise<void> {
  await page.getByRole("button", { name: "Sign in with an application" }).click();
  await page.getByLabel("secretID").fill(secretID);
  await page.getByLabel("secretKey").fill(secretKey);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: /^Account / }).waitFor();
}
