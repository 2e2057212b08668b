// What a reader loads stays small enough for a slow line, packed as the service sends it to a browser.
import { readdir } from "node:fs/promises";
import { get } from "node:http";
import { join, relative, sep } from "node:path";
import { expect, inject, test } from "vitest";
import { SITE } from "../src/places.ts";

const root = `${inject("demo").baseUrl}/docs/`;

const MAX_BYTES = 1_100_000;

/** What is sent for one file, by a browser's own header. */
const measure = (name: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { "Accept-Encoding": "gzip, deflate, br, zstd" };
    get(root + name, { headers }, async (response) => {
      let bytes = 0;
      for await (const chunk of response) bytes += (chunk as Buffer).length;
      if (response.statusCode === 200) resolve(bytes);
      else reject(new Error(`${name} is answered ${response.statusCode}`));
    });
  });

test("all of it has at most 1.1 MB", async () => {
  const folder = join(SITE, "dist");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, "/"))
    // Loaded with their own page alone; `pictures.verify.ts` limits them.
    .filter((name) => !name.startsWith("pictures/"));
  expect(files.length).toBeGreaterThan(20);
  const sizes = await Promise.all(files.map(measure));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
});
