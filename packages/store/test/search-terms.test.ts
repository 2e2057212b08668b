// The terms of the search index: those that an import makes of values are those that a search makes of match keys.
import { assert, constantFrom, nat, oneof, property, string } from "fast-check";
import { expect, test } from "vitest";
import { toMatchKey } from "../src/values/index.ts";
import { createTerms, createTermsOf, toBigTerm, toNumberTerm } from "../src/values/terms.ts";

const VALUE = oneof(
  nat(),
  string(),
  string({ unit: "grapheme" }),
  constantFrom("", " ", " Ann", "Ann\t", "\u00a0ann", "STRASSE", "Straße", "@[`{", "+49 (30) 12"),
);

const SEED = "0123456789abcdef";

test.each([toNumberTerm, toBigTerm])("every value has the term of its match key", (join) => {
  const toTerm = createTerms<number | bigint>(SEED, join);
  for (const field of ["agent", "phone_number1"]) {
    const toTermOf = createTermsOf<number | bigint>(SEED, field, join);
    assert(
      property(VALUE, (value) => {
        expect(toTermOf(value)).toBe(toTerm(field, toMatchKey(field, value)));
      }),
    );
  }
});

test.each([toNumberTerm, toBigTerm])("equal values share a term, and others do not", (join) => {
  const [agent, skill] = ["agent", "skill"].map((field) =>
    createTermsOf<number | bigint>(SEED, field, join),
  );
  expect(agent?.("ANN Lee")).toBe(agent?.(" ann lee "));
  expect(agent?.("ann")).not.toBe(agent?.("anm"));
  expect(agent?.("ann")).not.toBe(skill?.("ann"));
});
