// What the contract chooses is registered in spec/DECISIONS.md, and the register points to it.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { document } from "../src/index.ts";

const specFolder = new URL("../../../spec/", import.meta.url);
const register = readFileSync(new URL("DECISIONS.md", specFolder), "utf8");
const ids = [...register.matchAll(/^### (D\d\d) /gm)].flatMap(([, id]) => id ?? []);

/** Ids of every x-decision in a text of JSON or YAML. */
function marksIn(text: string): Set<string> {
  const marks = text.matchAll(/"?x-decision"?:\s*(\[[^\]]*\]|"?D\d\d"?)/g);
  return new Set([...marks].flatMap(([, value]) => value?.match(/D\d\d/g) ?? []));
}

/** Addresses of the link definitions, by their text. */
const addresses = new Map(
  [...register.matchAll(/^\[([^\]]+)\]: (\S+)$/gm)].map(([, text, address]) => [text, address]),
);

/** What a cell of the trace names; a name that is defined nowhere has no file. */
const filesIn = (cell: string | undefined) =>
  [...(cell ?? "").matchAll(/\[([^\]]+)\]/g)].map(([, text]) => addresses.get(text));

const traced = [...register.matchAll(/^\| (D\d\d) +\| (.*?) \| (.*?) \| (.*?) \|$/gm)].map(
  ([, id, contract, handler, proof]) => ({
    id,
    contract: filesIn(contract),
    code: [...filesIn(handler), ...filesIn(proof)],
  }),
);

/** Decisions about imports, archives and the console, which the contract does not show. */
const outside = traced.filter(({ contract }) => contract.length === 0).map(({ id }) => id);

test("the register explains each decision once and in order", () => {
  expect(ids.length).toBeGreaterThan(29);
  expect(ids).toEqual([...new Set(ids)].toSorted());
});

test.each(ids)("%s says what is open, what is answered and how a client can tell", (id) => {
  const entry = register.split(/^### /m).find((section) => section.startsWith(`${id} `)) ?? "";
  expect(entry).toMatch(
    /\*\*Open:\*\* \S[^]*\*\*Answer:\*\*\s+\S[^]*\*\*A client can tell:\*\* \S/,
  );
});

test("every decision is marked in the contract, and every mark is in the register", () => {
  const marked = [...marksIn(JSON.stringify(document))].toSorted();
  expect(marked).toEqual(ids.filter((id) => !outside.includes(id)));
  expect(outside.filter((id = "") => id < "D30")).toEqual([]);
});

test("the trace has a row for each decision", () => {
  expect(traced.map(({ id }) => id)).toEqual(ids);
});

test.each(traced)("the files of the contract that are traced for $id carry its mark", (row) => {
  const { id, contract } = row;
  for (const file of contract) {
    const text = readFileSync(new URL(file ?? "no-such-link", specFolder), "utf8");
    expect(marksIn(text), file).toContain(id);
  }
});

// D25 says that there is nothing.
test.each(traced.filter(({ id }) => id !== "D25"))(
  "what carries $id out and what proves it is there",
  ({ code }) => {
    expect(code.length).toBeGreaterThan(1);
    for (const file of code)
      expect(existsSync(new URL(file ?? "no-such-link", specFolder)), file).toBe(true);
  },
);

test("every file that the register has a link for is named in it", () => {
  const text = register.replace(/^\[[^\]]+\]: \S+$/gm, "");
  expect([...addresses.keys()].filter((name) => !text.includes(`[${name}]`))).toEqual([]);
});
