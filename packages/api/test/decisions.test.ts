// What the contract chooses is registered in spec/DECISIONS.md, and the register points to it.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { document } from "../src/index.ts";

const specFolder = new URL("../../../spec/", import.meta.url);
const register = readFileSync(new URL("DECISIONS.md", specFolder), "utf8");
const ids = Array.from({ length: 28 }, (_, i) => `D${String(i + 1).padStart(2, "0")}`);

/** Ids of every x-decision in a text of JSON or YAML. */
function marksIn(text: string): Set<string> {
  const marks = text.matchAll(/"?x-decision"?:\s*(\[[^\]]*\]|"?D\d\d"?)/g);
  return new Set([...marks].flatMap(([, value]) => value?.match(/D\d\d/g) ?? []));
}

/** Addresses of the link definitions, by their text. */
const addresses = new Map(
  [...register.matchAll(/^\[([^\]]+)\]: (\S+)$/gm)].map(([, text, address]) => [text, address]),
);

const traced = [...register.matchAll(/^\| (D\d\d) +\| (.*?) \|/gm)].map(([, id, contract]) => ({
  id,
  files: [...(contract ?? "").matchAll(/\[([^\]]+)\]/g)].map(([, text]) => addresses.get(text)),
}));

test("the register explains D01 to D28, each once and in order", () => {
  const headings = [...register.matchAll(/^### (D\d\d) /gm)].map(([, id]) => id);
  expect(headings).toEqual(ids);
});

test.each(ids)("%s says what is open, what is answered and how a client can tell", (id) => {
  const entry = register.split(/^### /m).find((section) => section.startsWith(`${id} `)) ?? "";
  expect(entry).toMatch(
    /\*\*Open:\*\* \S[^]*\*\*Answer:\*\*\s+\S[^]*\*\*A client can tell:\*\* \S/,
  );
});

test("every decision is marked in the contract, and every mark is in the register", () => {
  expect([...marksIn(JSON.stringify(document))].toSorted()).toEqual(ids);
});

test("the trace has a row for each decision", () => {
  expect(traced.map(({ id }) => id)).toEqual(ids);
});

test.each(traced)("the files traced for $id carry its mark", ({ id, files }) => {
  expect(files).not.toHaveLength(0);
  for (const file of files) {
    const text = readFileSync(new URL(file ?? "no-such-link", specFolder), "utf8");
    expect(marksIn(text), file).toContain(id);
  }
});
