// The page of a hand-over, used as a person does.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";

/** Follows the link of the list, and waits until the page knows what goes along. */
export async function openHandOver(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Hand over", exact: true }).click();
  await page.getByRole("heading", { name: /^Hand over [\d,]+ calls?/ }).waitFor();
}

export const handOverButton = (page: Page) =>
  page.getByRole("button", { name: "Hand over", exact: true });

/** Copies the command that makes the same hand-over. */
export async function copyCommand(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Copy as command" }).click();
  await page.getByText("Copied the command.").waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Saves the hand-over as a download, and reads its seal. */
export async function saveHandOver(page: Page): Promise<{ zip: Buffer; seal: string }> {
  const downloading = page.waitForEvent("download");
  await handOverButton(page).click();
  const zip = await readFile(await (await downloading).path());
  const shown = await page.getByRole("textbox", { name: "Seal" }).textContent();
  return { zip, seal: (shown ?? "").replaceAll(" ", "") };
}
