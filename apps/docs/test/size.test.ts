// The site stays small enough for a package and a slow line.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { expect, test } from "vitest";
import { SITE } from "../src/places.ts";

const MAX_BYTES = 900_000;

test("it has 900 KB in all, compressed", async () => {
  const entries = await readdir(join(SITE, "dist"), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const packed = await promisify(gzip)(await readFile(join(parentPath, name)), { level: 9 });
      return packed.length;
    }),
  );
  expect(files.length).toBeGreaterThan(20);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
});
