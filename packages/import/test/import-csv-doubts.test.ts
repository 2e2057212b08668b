// What a mapping leaves in doubt is said before a row is read: halves of days, and what parts the columns.
import { expect, test } from "vitest";
import { ImportError } from "../src/index.ts";
import { createArchive } from "./support/archives.ts";
import { importCsv } from "./support/csv.ts";

test.each([
  ["MM/dd/yyyy hh:mm:ss", "does not say which half of the day: add a (AM or PM), or write HH"],
  ["dd.MM.yyyy h:mm", "does not say which half of the day: add a (AM or PM), or write HH"],
  ["dd.MM.yyyy HH:mm a", "has hours up to 23 (HH), and AM or PM (a): write hh, which reads both"],
])("%s is refused", async (format, fault) => {
  const store = createArchive();
  const mapping = { fields: { datetime: { from: "{A}", format } } };
  const attempt = importCsv(store, mapping, ["A", "05/01/2025 01:00:25"]);

  await expect(attempt).rejects.toThrow(ImportError);
  await expect(attempt).rejects.toThrow(`fields.datetime.format: "${format}" ${fault}`);
});

test.each([";", "\t", "|"])(
  "a mapping with a comma does not read a table of %j",
  async (delimiter) => {
    const store = createArchive();
    const mapping = { table: { delimiter: "," }, fields: { notes: "{A}" } };
    const table = [["A", "B"].join(delimiter), ["1", "2"].join(delimiter)];
    await expect(importCsv(store, mapping, table)).rejects.toThrow(
      `the mapping says so, "table": { "delimiter": ${JSON.stringify(delimiter)} }`,
    );
    const right = { ...mapping, table: { delimiter } };
    expect(await importCsv(store, right, table)).toMatchObject({ imported: 1 });
  },
);

test("letters in quotes are no pattern", async () => {
  const store = createArchive();
  const format = "dd.MM.yyyy 'at' HH 'h' mm";
  const mapping = { fields: { datetime: { from: "{A}", format } } };
  expect(await importCsv(store, mapping, ["A", "01.05.2025 at 13 h 05"])).toMatchObject({
    imported: 1,
  });
});
