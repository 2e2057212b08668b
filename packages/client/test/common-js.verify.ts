// A CommonJS program: `require` takes modules that wait for nothing while they load, and no others.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

import manifest from "../package.json" with { type: "json" };

const folder = fileURLToPath(new URL("..", import.meta.url));
const entries = Object.keys(manifest.exports).map((path) => path.replace(".", manifest.name));

test.each(entries)("requires %s", async (entry) => {
  const program = `console.log(Object.keys(require(${JSON.stringify(entry)})).length)`;
  const args = ["--input-type=commonjs", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  expect(Number(stdout)).toBeGreaterThan(0);
});
