// The section that a release adds to CHANGELOG.md.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addToChangelog, readNotes, toSection } from "../src/changelog.ts";
import type { ReleasePlan } from "../src/release-plan.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "call-media-changelog-"));
});
afterEach(async () => rm(root, { recursive: true }));

const planOf = (newVersion: string, ...summaries: readonly string[]): ReleasePlan => ({
  releases: [{ name: "@call-media/client", newVersion }],
  changesets: summaries.map((summary, at) => ({
    id: `change-${at}`,
    summary,
    releases: [{ name: "@call-media/client" }],
  })),
});

test("groups changes by their kind, in the order of Keep a Changelog", () => {
  expect(toSection(planOf("1.1.0", "Fixed: a fault.", "Added: a call.\nIt rings."), "2026-11-26"))
    .toBe(`## [1.1.0](https://github.com/call-media/call-media/releases/tag/v1.1.0) - 2026-11-26

### Added

- \`@call-media/client\`: a call.
  It rings.

### Fixed

- \`@call-media/client\`: a fault.
`);
});

test("a release of the contract's package alone has its name", () => {
  const plan = { ...planOf("1.1.1"), releases: [{ name: "@call-media/api", newVersion: "1.1.1" }] };
  expect(toSection(plan, "2026-11-26")).toContain(
    "## [@call-media/api 1.1.1](https://github.com/call-media/call-media/releases/tag/@call-media/api@1.1.1) - ",
  );
});

test("the newest release stands first, below the head", async () => {
  const path = join(root, "CHANGELOG.md");
  await writeFile(path, "# Changelog\n\nHead.\n");
  await addToChangelog(root, planOf("1.0.0", "Added: one."), "2026-11-26");
  await addToChangelog(root, planOf("1.0.1", "Fixed: two."), "2026-11-27");
  const headings = (await readFile(path, "utf8")).match(/^##? .*$/gm);
  expect(headings).toEqual([
    "# Changelog",
    expect.stringMatching(/^## \[1\.0\.1\].* - 2026-11-27$/),
    expect.stringMatching(/^## \[1\.0\.0\].* - 2026-11-26$/),
  ]);
  expect(await readNotes(root)).toBe("### Fixed\n\n- `@call-media/client`: two.");
});

test("a changeset that does not say what kind of change it is, is refused and nothing is written", async () => {
  const path = join(root, "CHANGELOG.md");
  await writeFile(path, "# Changelog\n");
  await expect(addToChangelog(root, planOf("1.0.0", "New things."), "2026-11-26")).rejects.toThrow(
    ".changeset/change-0.md: the text must begin with one of Added, Changed",
  );
  expect(await readFile(path, "utf8")).toBe("# Changelog\n");
});
