// The schema of mapping files, which editors complete keys by: the files that ship are valid by it.
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";

const SCHEMA = new URL(import.meta.resolve("@call-media/import/mapping.schema.json"));

const read = async (url: URL): Promise<object> =>
  JSON.parse(await readFile(fileURLToPath(url), "utf8")) as object; // of the package

test("each is valid, and none with a key that the language has not", async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validate = ajv.compile(await read(SCHEMA));
  const folder = new URL("maps/", SCHEMA);
  const names = await readdir(folder);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const mapping = await read(new URL(name, folder));
    validate(mapping);
    expect([name, validate.errors]).toEqual([name, null]);
    expect(validate({ ...mapping, filter: "x" })).toBe(false);
  }
});
