// Every link of a Markdown file leads somewhere.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listTree } from "@call-media/test-setup/tree";
import { expect, test } from "vitest";
import { findBrokenLinks } from "../src/links.ts";
import { repository } from "../src/workspace.ts";

test("every link between files and into them can be followed", () => {
  const read = (path: string) => readFileSync(join(repository, path), "utf8");
  const paths = listTree();
  expect(paths).toEqual(expect.arrayContaining(["README.md", "packages/cli/README.md"]));
  // The guides link to each other as pages of the site that is made of them, which apps/docs checks.
  const isOfSite = (fault: string) => fault.startsWith("apps/docs/guides/");
  expect(findBrokenLinks({ paths, read }).filter((fault) => !isOfSite(fault))).toEqual([]);
});

const guide = '# The `call-media` guide\n\n## Who asks?\n\n## Who asks?\n\n<a id="here"></a>\n';

function findIn(text: string): string[] {
  const files: Readonly<Record<string, string>> = {
    "docs/one.md": text,
    "docs/a b/guide.md": guide,
    "docs/a b/README.md": guide,
  };
  return findBrokenLinks({ paths: Object.keys(files), read: (path) => files[path] ?? "" });
}

test.each([
  "[a](a%20b/guide.md)",
  "[a](a%20b/guide.md#the-call-media-guide)",
  "[a](<a b/guide.md#who-asks-1>)",
  "[a](a%20b/guide.md#here)",
  "[a](a%20b/)",
  "[a](https://github.com/call-media/call-media/tree/main/docs/a%20b#readme)",
  "[a](https://example.com/x#y)",
  "<http://127.0.0.1:8080/docs>",
  "<http://call-media.localhost:8080/console>",
  "# Mine\n[a](#mine)",
  "`[a](none.md)`\n\n```md\n[a](none.md)\n```",
])("%s can be followed", (text) => {
  expect(findIn(text)).toEqual([]);
});

test.each([
  "[a](none.md)",
  "[a](../../docs/one.md)",
  "[a](a%20b/guide.md#who-asks-2)",
  "[a](a%20b/guide.md#Who-asks)",
  "[a][b]\n\n[b]: none.md",
  "![a](none.png)",
  "| a |\n| - |\n| [a](none.md) |",
  "[a](#none)",
  "[a](https://github.com/call-media/call-media/blob/main/docs/none.md)",
  "[a](http://example.com)",
  "[a](https://)",
])("%s leads nowhere", (text) => {
  expect(findIn(text)).toHaveLength(1);
});
