// Text of records is text, whatever it says: no script, no link that it asks for, and no harm to the page around it.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasChromium } from "@call-media/test-setup/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openConsole, signIn } from "./support/browser.ts";
import { type Demo, openDemo } from "./support/demo.ts";

const LONG = "w".repeat(1000);
const NASTY = {
  kind: "call",
  datetime: "2026-10-30T10:00:00Z",
  call_id: "nasty /?#%",
  customer_first_name: "<img src=x onerror=alert(1)>",
  customer_last_name: "محمد 👩‍👩‍👧 é",
  customer_email: "javascript:alert(1)@example.com",
  company: LONG,
  disposition_notes: "=1+1",
  transcript: `Agent: <script>alert(1)</script>\nCustomer: ‮abc ${LONG}`,
};

describe.skipIf(!hasChromium)("text of records", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo("--console-session");
    const file = join(demo.directory, "../nasty.jsonl");
    await writeFile(file, `${JSON.stringify(NASTY)}\n`);
    await demo.run("import", "--data", demo.directory, file);
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  test.each(["ltr", "rtl"])("is shown as it stands, %s", async (direction) => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go, faults } = opened;
    await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
    await signIn(page, demo.apiKey);
    await go("#/?from=2026-10-30&to=2026-10-30&columns=datetime,customer,company");
    await page.getByText(NASTY.customer_first_name).click();
    await page.getByText("<script>alert(1)</script>").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain(
      NASTY.customer_last_name,
    );
    expect(decodeURIComponent(page.url())).toContain(NASTY.call_id);
    expect(await page.locator('a[href^="mailto"], a[href^="javascript"], main img').count()).toBe(
      0,
    );
    const tooWide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(tooWide).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
  });
});
