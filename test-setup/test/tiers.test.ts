// No test is left out: each file belongs to a tier, and its package has the script that runs it.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const REPOSITORY = join(import.meta.dirname, "../..");

const files = globSync("{test-setup,packages/*,apps/*}/test/**/*.{test,verify,prove}.ts", {
  cwd: REPOSITORY,
  exclude: ["**/node_modules/**"],
});

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
}

function readScripts(folder: string): Manifest["scripts"] {
  const manifest = readFileSync(join(REPOSITORY, folder, "package.json"), "utf8");
  return (JSON.parse(manifest) as Manifest).scripts; // each package has some
}

test("each file is run by a script of its package", () => {
  expect(files.length).toBeGreaterThan(300);
  const left = files.filter((file) => {
    const folder = file.replace(/\/test\/.*/, "");
    const tier = /\.(\w+)\.ts$/.exec(file)?.[1] ?? "";
    const command = tier === "test" ? "vitest run" : `vitest run --mode ${tier}`;
    return !readScripts(folder)[tier]?.split(" && ").includes(command);
  });
  expect(left).toEqual([]);
});

test("each package has the one configuration", () => {
  const folders = new Set(files.map((file) => file.replace(/\/test\/.*/, "")));
  const others = [...folders].filter(
    (folder) =>
      !readFileSync(join(REPOSITORY, folder, "vitest.config.ts"), "utf8").includes("defineTests("),
  );
  expect(others).toEqual([]);
});
