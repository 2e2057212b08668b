// The terms of the search index: those that an import makes of values are those that a search makes of match keys.
import { assert, constantFrom, nat, oneof, property, string } from "fast-check";
import { expect, test } from "vitest";
import { toMatchKey } from "../src/values/index.ts";
import { openDatabase } from "../src/sqlite/files/database.ts";
import { createTerms, createTermsOf } from "../src/sqlite/segment-index/terms.ts";
import { createFolder } from "./support/archives.ts";

const VALUE = oneof(
  nat(),
  string(),
  string({ unit: "grapheme" }),
  constantFrom("", " ", " Ann", "Ann\t", "\u00a0ann", "STRASSE", "Straße", "@[`{", "+49 (30) 12"),
);

test("every value has the term of its match key", async () => {
  using database = openDatabase(await createFolder());
  const toTerm = createTerms(database);
  for (const field of ["agent", "phone_number1"]) {
    const toTermOf = createTermsOf(database, field);
    assert(
      property(VALUE, (value) => {
        expect(toTermOf(value)).toBe(toTerm(field, toMatchKey(field, value)));
      }),
    );
  }
});

test("values that are equal share a term, and others do not", async () => {
  using database = openDatabase(await createFolder());
  const [agent, skill] = ["agent", "skill"].map((field) => createTermsOf(database, field));
  expect(agent?.("ANN Lee")).toBe(agent?.(" ann lee "));
  expect(agent?.("ann")).not.toBe(agent?.("anm"));
  expect(agent?.("ann")).not.toBe(skill?.("ann"));
});
