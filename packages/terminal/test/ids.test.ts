// Lists of identifiers, as operators have them: one a line, and as spreadsheets write them.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readIds } from "../src/index.ts";

const folder = await mkdtemp(join(tmpdir(), "ids-"));
afterAll(() => rm(folder, { recursive: true }));

async function read(text: string): Promise<readonly string[]> {
  const file = join(folder, "ids");
  await writeFile(file, text);
  return await readIds(file);
}

test.each([
  ["one a line, with what a CSV would part", ' 1\r\n\n2,a\n1\n"3"', ["1", "2,a", '"3"']],
  ["one a line below a heading", 'call_id\n1,a\n"2,""b"', ["1,a", '2,"b']],
  ["a CSV", "call_id,agent\n1,ann\n2,bob\n", ["1", "2"]],
  ["quoted", '"call_id","agent"\n"1","Ann, A."\n"2","bo\nb"\n', ["1", "2"]],
  ["with semicolons", "call_id;agent\n1;ann\n2;bob", ["1", "2"]],
  ["with tabs and a mark of the order of bytes", "\uFEFFcall_id\tagent\n1\tann", ["1"]],
  ["in another column", "agent,call_id\nann,1\nbob\n,'=2", ["1", "=2"]],
])("%s", async (_what, text, ids) => {
  expect(await read(text)).toEqual(ids);
});

test("an empty list is refused by the name of its option", async () => {
  await expect(read('"call_id","agent"\n')).rejects.toThrow("--ids: ");
});

test("a file that cannot be read is refused by its option and its path", async () => {
  const missing = join(folder, "none");
  await expect(readIds(missing, { option: "--call-ids" })).rejects.toThrow(
    `--call-ids: ${missing} does not exist`,
  );
  await expect(readIds(folder)).rejects.toThrow(`--ids: ${folder} is a directory, not a file`);
});
