// The parts of the contract are files by their names, and every file is a part of it.
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import openapi from "../generated/openapi.json" with { type: "json" };

const specFolder = new URL("../../../spec/", import.meta.url);
const namesIn = (folder: string) => readdirSync(new URL(folder, specFolder)).toSorted();
const toFiles = (names: readonly string[]) => names.map((name) => `${name}.yaml`).toSorted();

test("each path has a file, with _ for /, and each file a path", () => {
  const names = Object.keys(openapi.paths).map((path) => path.slice(1).replaceAll("/", "_"));
  expect(namesIn("paths/")).toEqual(toFiles(names));
});

test.each(namesIn("components/"))("the files of components/%s are all in use", (kind) => {
  const parts = new Map<string, object>(Object.entries(openapi.components)).get(kind) ?? {};
  expect(namesIn(`components/${kind}/`)).toEqual(toFiles(Object.keys(parts)));
});
