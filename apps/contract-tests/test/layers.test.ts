// The layer gate: packages depend on each other in one direction, and the top of the repository holds what it should.
import { listTree } from "@call-media/test-setup/tree";
import { describe, expect, test } from "vitest";
import { findLayerFaults } from "../src/layers.ts";
import { findImports, readWorkspace, type WorkspacePackage } from "../src/workspace.ts";

test("every package keeps to its layer", () => {
  const workspace = readWorkspace();
  expect(workspace.map(({ folder }) => folder)).toEqual(
    expect.arrayContaining(["spec", "packages/api", "packages/server", "apps/contract-tests"]),
  );
  expect(findLayerFaults(workspace)).toEqual([]);
});

test("the top of the repository holds nothing else", () => {
  const names = new Set(listTree().map((path) => path.split("/")[0] ?? ""));
  const visible = [...names].filter((name) => !name.startsWith("."));
  expect(visible.toSorted()).toEqual([
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "NOTICE",
    "README.md",
    "apps",
    "ci",
    "package.json",
    "packages",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "spec",
    "test-setup",
    "tsconfig.base.json",
    "turbo.json",
  ]);
});

describe("the gate sees", () => {
  const api: WorkspacePackage = {
    name: "@call-media/api",
    folder: "packages/api",
    dependencies: [],
    devDependencies: ["@call-media/spec"],
    sources: [{ path: "packages/api/src/index.ts", imports: ["./document.ts", "node:fs"] }],
  };
  const source = (...imports: string[]) => [{ path: "packages/api/src/a/b.ts", imports }];
  const wrong: readonly (Partial<WorkspacePackage> & { readonly sight: string })[] = [
    {
      sight: "@call-media/api must not depend on @call-media/store",
      dependencies: ["@call-media/store"],
    },
    {
      sight: "must not depend on @call-media/test-setup",
      dependencies: ["@call-media/test-setup"],
    },
    { sight: "must not depend on @call-media/bench", devDependencies: ["@call-media/bench"] },
    { sight: "@call-media/common has no place", name: "@call-media/common" },
    { sight: "b.ts imports @call-media/store, which", sources: source("@call-media/store/sqlite") },
    // Declared, but not for those who install the package.
    { sight: "b.ts imports @call-media/spec, which", sources: source("@call-media/spec") },
    {
      sight: "b.ts imports ../../../store/src/x.ts, which",
      sources: source("../../../store/src/x.ts"),
    },
  ];

  const store: WorkspacePackage = {
    ...api,
    name: "@call-media/store",
    folder: "packages/store",
    devDependencies: [],
  };
  const inStore = (path: string, ...imports: string[]) => [
    { path: `packages/store/src/${path}`, imports },
  ];
  test.each([
    ["port/a.ts imports ../values/b.ts", inStore("port/a.ts", "../values/b.ts")],
    ["memory/a.ts imports ../sqlite/b.ts", inStore("memory/a.ts", "../sqlite/b.ts")],
    ["media/a.ts imports node:sqlite", inStore("media/a.ts", "node:sqlite")],
    ["utils/a.ts has no place", inStore("utils/a.ts")],
  ])("within the store: %s", (sight, sources) => {
    expect(findLayerFaults([{ ...store, sources }])).toEqual([expect.stringContaining(sight)]);
  });

  test.each(["../call-media/run.ts", "@call-media/api"])(
    "%s within the kit for any API",
    (specifier) => {
      const kit: WorkspacePackage = {
        ...api,
        name: "@call-media/conformance",
        folder: "packages/conformance",
        dependencies: ["@call-media/api"],
        devDependencies: [],
      };
      const toSources = (path: string) => [
        { path: `packages/conformance/src/${path}`, imports: [specifier] },
      ];
      expect(findLayerFaults([{ ...kit, sources: toSources("laws/a.ts") }])).toEqual([
        expect.stringContaining("the kit is for any API"),
      ]);
    },
  );

  test("imports that go in a circle", () => {
    const sources = [
      ...inStore("sqlite/a.ts", "./b.ts"),
      ...inStore("sqlite/b.ts", "../media/c.ts"),
      ...inStore("sqlite/c.ts", "./d.ts"),
      ...inStore("sqlite/d.ts", "./c.ts", "node:sqlite"),
    ];
    expect(findLayerFaults([{ ...store, sources }])).toEqual([
      expect.stringMatching(/circle: .*c\.ts -> .*d\.ts -> .*c\.ts$/),
    ]);
  });

  test("nothing in a package that keeps to the rules", () => {
    expect(findLayerFaults([api])).toEqual([]);
  });

  test.each(wrong)("$sight", ({ sight, ...change }) => {
    expect(findLayerFaults([{ ...api, ...change }])).toEqual([expect.stringContaining(sight)]);
  });

  test("imports of every kind", () => {
    const text = `
      import a from "a"; import type { B } from "b"; import "c"; export * from "d"; export { e } from "e";
      const f = await import("f"); // import "g"
      const h = 'import "i"';`;
    expect(findImports("x.ts", text)).toEqual(["a", "b", "c", "d", "e", "f"]);
  });
});
