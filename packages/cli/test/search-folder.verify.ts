// A search in a folder by a process that may not write there, or has no SQLite.
import { chmod, open } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AS_ANYBODY, canBeAnybody } from "@call-media/test-setup/as-anybody";
import { describe, expect, test } from "vitest";
import { makeFolder, writeExport } from "./support/made-export.ts";
import { run } from "./support/program.ts";

describe("the index", () => {
  test.runIf(canBeAnybody).each(["missing", "damaged"])(
    "that cannot be written is in memory: %s",
    async (there) => {
      const made = await makeFolder();
      await writeExport(made, { calls: [{ call_id: "1", notes: "refund" }] });
      if (there === "damaged") {
        await run(["index", made]);
        await damage(made, "folder");
        await chmod(join(made, "words.db"), 0o644);
      }
      await chmod(made, 0o555);
      const { code, stdout, stderr } = await run(
        ["search", "--in", made, "--words", "refund", "--count"],
        {},
        { before: AS_ANYBODY },
      );
      await chmod(made, 0o755);
      expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: "1\n" });
      expect(stderr).toContain("indexed in memory, as nothing can be written there");
    },
  );
});

describe("a mistake is named:", () => {
  test("a Node.js without SQLite", async () => {
    const made = await makeFolder();
    await writeExport(made, { calls: [{ call_id: "1" }] });
    const { code, stderr } = await run(["index", made], {
      NODE_OPTIONS: "--no-experimental-sqlite",
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^call-media: this Node\.js \(v[\d.]+\) has no SQLite/);
  });
});

/** Overwrites the first page of a table. */
async function damage(path: string, table: string): Promise<void> {
  const file = join(path, "words.db");
  const database = new DatabaseSync(file, { readOnly: true });
  const page = database
    .prepare(
      "SELECT rootpage, page_size FROM sqlite_schema JOIN pragma_page_size WHERE sqlite_schema.name = ?",
    )
    .get(table);
  database.close();
  const bytes = Number(page?.["page_size"]);
  await using opened = await open(file, "r+");
  await opened.write(Buffer.alloc(bytes, 0xff), 0, bytes, (Number(page?.["rootpage"]) - 1) * bytes);
}
