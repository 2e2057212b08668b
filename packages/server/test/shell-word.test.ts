// The command that an export prints can be pasted into a shell, whatever its folder is called.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { runIn } from "./support/command.ts";

test("the printed command quotes every character of a folder's name that a shell interprets", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "call-media-word-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, "a.jsonl"), '{"kind":"call","call_id":"1"}\n');
  await runIn(cwd, "import", "--data", "archive", "a.jsonl");
  for (const out of ["it's $HOME; 100%", "-out", "plain"]) {
    const { stdout } = await runIn(cwd, "export", "--data", "archive", `--out=${out}`);
    const [, word = ""] = /--timezone UTC (.*)$/m.exec(stdout) ?? [];
    const shell = await promisify(execFile)("sh", ["-c", `ls -d ${word}`], { cwd });
    expect(shell.stdout.trim().replace(/^\.\//, "")).toBe(out);
  }
});
