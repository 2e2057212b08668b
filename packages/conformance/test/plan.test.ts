// What is planned: pairs of ways to ask, the order of cells, and values made from schemas.
import { expect, test } from "vitest";
import { loadDocument, loadRelations } from "../src/index.ts";
import { listCells } from "../src/plan/cells.ts";
import { coverPairs } from "../src/plan/covering.ts";
import { toMatching } from "../src/values/pattern.ts";
import { DOCUMENT, RELATIONS } from "./library/service.ts";

const DIMENSIONS = {
  method: ["GET", "HEAD"],
  caller: ["first", "second", "none"],
  encoding: ["plain", "escaped"],
  page: ["first", "second"],
};

test("every pair of two dimensions stands in a row, in far fewer rows than the product has", () => {
  const rows = coverPairs(DIMENSIONS);
  const names = Object.keys(DIMENSIONS) as (keyof typeof DIMENSIONS)[];
  for (const one of names)
    for (const other of names.filter((name) => name > one))
      for (const value of DIMENSIONS[one])
        for (const theirs of DIMENSIONS[other])
          expect(rows, `${one} ${value}, ${other} ${theirs}`).toContainEqual(
            expect.objectContaining({ [one]: value, [other]: theirs }),
          );
  expect(rows.length).toBeLessThanOrEqual(8);
});

test("no row has a pair that cannot be asked", () => {
  const rows = coverPairs(
    DIMENSIONS,
    ({ method, encoding }) => !(method === "HEAD" && encoding === "escaped"),
  );
  expect(rows).not.toContainEqual(expect.objectContaining({ method: "HEAD", encoding: "escaped" }));
});

test("what gives values is asked first, and what writes last", async () => {
  const document = await loadDocument(DOCUMENT);
  const cells = listCells(document, await loadRelations(document, [RELATIONS]));
  const isWriting = cells.map(({ law, needs }) => law !== "success" && needs.includes("write"));
  expect(cells[0]?.law).toBe("success");
  expect(isWriting.lastIndexOf(false)).toBeLessThan(isWriting.indexOf(true));
});

test("what is left out is not planned", async () => {
  const document = await loadDocument(DOCUMENT);
  const cells = listCells(document, await loadRelations(document, [RELATIONS]), {
    without: ["page", "getBook"],
  });
  expect(
    cells.filter(({ law, operation }) => law === "page" || operation.id === "getBook"),
  ).toEqual([]);
});

test.each([
  String.raw`^\d{4}-\d{2}$`,
  "^bk-[0-9a-f]{12}$",
  "^(0[1-9]|1[0-2])/[0-9]{2}$",
  String.raw`^\+[0-9]{6,15}$`,
  "^[A-Z][0-9]{1,2}$",
  "^(?:left|right)x?$",
  String.raw`^(W/)?"[^"]*"$`,
])("a text is made that %s matches", (pattern) => {
  expect(toMatching(pattern)).toMatch(new RegExp(pattern, "u"));
});
