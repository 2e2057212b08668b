// A pipe in a folder to import: nobody writes to it, and nothing waits for it.
import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ImportError, importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

test.each(["a pipe", "a link to a pipe"])(
  "a folder to import in which there is %s is refused, with the name of it, before a row is read",
  async (what) => {
    const store = createArchive();
    const folder = dirname(await writeLines("calls.jsonl", [{ kind: "call", call_id: "a" }]));
    const pipe = join(folder, what === "a pipe" ? "pipe.jsonl" : "pipe");
    await promisify(execFile)("mkfifo", [pipe]);
    if (what !== "a pipe") await symlink(pipe, join(folder, "pipe.jsonl"));

    await expect(importFiles({ store, paths: [folder], format: "jsonl" })).rejects.toThrow(
      new ImportError(
        `${join(folder, "pipe.jsonl")} is not a file: move it away, or name it in addition to the folder`,
      ),
    );
    expect(await store.importedRows()).toMatchObject({
      imported: 0,
      replaced: 0,
      unchanged: 0,
      rejected: 0,
    });
  },
);
