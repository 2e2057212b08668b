// Every package as a tarball: complete, well-formed, and without files that are useless outside this repository.
import { describe, expect, inject, test } from "vitest";
import { lintPackage } from "../src/package-lint.ts";
import { findPackageFaults } from "../src/package-rules.ts";
import { type PackedPackage, readPacked } from "../src/packed-package.ts";
import { repository } from "../src/run.ts";

const packages = await readPacked(inject("packed"));

test("all packages are packed", () => {
  expect(packages.map(({ manifest }) => manifest.name)).toEqual(
    [
      "api",
      "cli",
      "client",
      "conditions",
      "conformance",
      "contract-diff",
      "handover",
      "import",
      "server",
      "service",
      "sound",
      "store",
      "terminal",
      "testing",
      "words",
    ].map((name) => `@call-media/${name}`),
  );
});

test("they keep the rules for what is published", () => {
  expect(packages.flatMap(findPackageFaults)).toEqual([]);
});

test("publint and attw find nothing", async () => {
  expect((await Promise.all(packages.map(lintPackage))).flat()).toEqual([]);
});

describe("the rules see", () => {
  const client = (): PackedPackage => {
    const found = packages.find(({ manifest }) => manifest.name === "@call-media/client");
    if (found === undefined) throw new Error("the client was not packed");
    return found;
  };
  const withManifest = (change: object): PackedPackage => ({
    ...client(),
    manifest: { ...client().manifest, ...change },
  });
  const withFiles = (added: Readonly<Record<string, string>>): PackedPackage => ({
    ...client(),
    paths: [...client().paths, ...Object.keys(added)],
    read: (path) => added[path] ?? client().read(path),
  });
  const without = (path: string): PackedPackage => ({
    ...client(),
    paths: client().paths.filter((other) => other !== path),
  });
  const wrong: Readonly<Record<string, () => PackedPackage>> = {
    "package.json has no keywords": () => withManifest({ keywords: undefined }),
    "packages/client": () => withManifest({ repository: { url: "git+https://example.com/a.git" } }),
    "access must be public": () => withManifest({ publishConfig: {} }),
    "no LICENSE": () => without("LICENSE"),
    "no NOTICE": () => without("NOTICE"),
    "NOTICE is not the beginning": () => withFiles({ NOTICE: "Copyright somebody" }),
    "@call-media/api is workspace:^": () =>
      withManifest({ dependencies: { "@call-media/api": "workspace:^" } }),
    "test/client.test.ts is for development alone": () => withFiles({ "test/client.test.ts": "" }),
    "dist/index.js.map is for development": () => withFiles({ "dist/index.js.map": "" }),
    "dist/index.js has no .d.ts": () => without("dist/index.d.ts"),
    "dist/pages/docs/index.html names a folder": () =>
      withFiles({ "dist/pages/docs/index.html": `<p>${repository}packages` }),
  };

  test.each(Object.entries(wrong))("%s", (sight, change) => {
    expect(findPackageFaults(change())).toEqual([expect.stringContaining(sight)]);
  });

  test("what was built from a source that is gone", () => {
    expect(findPackageFaults(withFiles({ "dist/gone.js": "", "dist/gone.d.ts": "" }))).toEqual([
      expect.stringContaining("dist/gone.js was built from a source that is gone"),
    ]);
  });

  test("a source map that is named", () => {
    const read = (path: string) => `${client().read(path)}\n//# sourceMappingURL=x.js.map`;
    expect(findPackageFaults({ ...client(), read })).toContainEqual(
      expect.stringContaining("dist/index.js names a source map"),
    );
  });
});
