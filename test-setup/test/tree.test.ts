// The files of the repository are found without git, too.
import { expect, test, vi } from "vitest";
import { listTree } from "../src/tree.ts";

test("without git the files are found that git names, and none that it leaves out", () => {
  const listed = listTree();
  vi.stubEnv("PATH", "");
  const walked = listTree();
  expect(walked).toEqual(expect.arrayContaining(listed));
  expect(walked.filter((path) => /(?:^|\/)(?:node_modules|dist|\.git)\//.test(path))).toEqual([]);
});
