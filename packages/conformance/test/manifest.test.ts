// The manifest and the checks: nothing is required that no check proves, nothing quoted that is not written.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { routes } from "@call-media/api";
import { checks } from "../src/call-media/checks/all.ts";
import { loadCallMedia } from "../src/call-media/instance.ts";
import { manifest, REQUIREMENTS } from "../src/call-media/requirements/manifest.ts";
import { BY_WITNESS } from "../src/call-media/requirements/of-clauses.ts";
import { kinds } from "../src/relations/kinds.ts";
import { loadRelations } from "../src/relations/read.ts";

const { document, relations } = await loadCallMedia();
const cited = new Set<string>([
  ...checks.flatMap(({ proves }) => proves),
  ...Object.values(BY_WITNESS),
  ...relations.rules.flatMap(({ ids }) => Object.values(ids ?? {})),
]);

// The text of the interface is not part of the repository; where it lies beside it, the quotes are compared.
const INTERFACE = new URL("../../../../shared/interface.md", import.meta.url);

test("the manifest is a relations file", async () => {
  const { requirements, rules } = await loadRelations(document, [REQUIREMENTS]);
  expect(requirements).toEqual(manifest());
  expect(requirements.size).toBeGreaterThan(100);
  expect(rules).toEqual([]);
});

test("every id that a check or the relations cite is a requirement", () => {
  expect([...cited].filter((id) => !manifest().has(id))).toEqual([]);
});

test("a clause of the relations file is a requirement, or is not asked for", () => {
  const unnamed = relations.rules.flatMap(({ kind, ids = {}, only = kinds[kind].clauses, place }) =>
    only.filter((clause) => ids[clause] === undefined).map((clause) => `${place.line}: ${clause}`),
  );
  expect(unnamed).toEqual([]);
});

test("what holds for operations of a kind names all of them", () => {
  const namesOf = (holds: (route: (typeof routes)[number]) => boolean) =>
    routes.filter(holds).map(({ operationId }) => operationId);
  const hasInput = ({ parameters, body }: (typeof routes)[number]) =>
    parameters.length > 0 || body !== undefined;
  const isJson = ({ responses }: (typeof routes)[number]) =>
    responses["200"]?.content?.["application/json"] !== undefined;
  const told = (id: string) => manifest().get(id)?.operations;
  expect(told("answer.status")).toEqual(namesOf(() => true));
  expect(told("auth.missing")).toEqual(namesOf(({ needsCredentials }) => needsCredentials));
  expect(told("error.names-field")).toEqual(namesOf(hasInput));
  expect(told("answer.json")).toEqual(namesOf(isJson));
});

test("every operation has a requirement of its own", () => {
  const own = [...manifest().values()].filter(({ operations }) => operations.length <= 5);
  const held = new Set(own.flatMap(({ operations }) => operations));
  expect(routes.map(({ operationId }) => operationId).filter((id) => !held.has(id))).toEqual([]);
});

test("every decision is one of the register", () => {
  const register = readFileSync(new URL("../../../spec/DECISIONS.md", import.meta.url), "utf8");
  const decisions = [...manifest().values()].flatMap(({ basis, source }) =>
    basis === "decision" ? source : [],
  );
  expect(decisions.length).toBeGreaterThan(20);
  expect(decisions.filter((id) => !register.includes(`\n### ${id} `))).toEqual([]);
});

const isThere = existsSync(INTERFACE);
if (!isThere)
  console.warn(
    "SKIPPED manifest.test.ts: the interface's text is not here, no quote of it was compared",
  );

test.skipIf(!isThere)("every quoted line stands in the interface", () => {
  const text = readFileSync(INTERFACE, "utf8");
  const quoted = [...manifest().values()].filter(({ basis }) => basis === "line");
  expect(quoted.length).toBeGreaterThan(30);
  expect(quoted.map(({ source }) => source).filter((line) => !text.includes(line))).toEqual([]);
});
