// The README of the gate, by its sections.
import { readFile } from "node:fs/promises";

/** The text under a heading of the second level. */
export async function readSection(heading: string): Promise<string> {
  const text = await readFile(new URL("../README.md", import.meta.url), "utf8");
  return text.split("\n## ").find((section) => section.startsWith(`${heading}\n`)) ?? "";
}
