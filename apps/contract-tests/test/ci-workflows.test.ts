// What runs in CI is what was read in a review, and nothing that runs tests may write.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../src/workspace.ts";

const folder = join(repository, ".github/workflows");
const workflows = readdirSync(folder).map(
  (name) => [name, readFileSync(join(folder, name), "utf8")] as const,
);
// What others run as a step of theirs.
const action = [
  "action.yml",
  readFileSync(join(repository, "ci/github/action.yml"), "utf8"),
] as const;

test.each([...workflows, action])("%s names each action by the digest of a version", (_, text) => {
  const actions = [...text.matchAll(/uses: (.*)/g)].map(([, used]) => used);
  expect(actions).not.toHaveLength(0);
  const others = actions.filter((used) => !used?.startsWith("./"));
  // A tag can be moved. Renovate proposes the next version by the comment.
  const isPinned = /^[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/;
  expect(others.filter((used) => !isPinned.test(used ?? ""))).toEqual([]);
});

test.each(workflows)("no job of %s that may write runs tests", (_, text) => {
  const jobs = text.slice(text.indexOf("\njobs:")).split(/\n(?= {2}\w+:)/);
  const writing = jobs.filter((job) => /: write\b/.test(job));
  expect(writing.filter((job) => /\.ci\/run|release:rehearse/.test(job))).toEqual([]);
});
