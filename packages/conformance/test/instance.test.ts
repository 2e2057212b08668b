// Call Media as an instance of the kit: what it adds is planned, and rules of one's own are checked beside its own.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkApi, explain, loadCallMedia, toApiTarget } from "../src/index.ts";
import { createService, signedIn, toEnvelope } from "./services.ts";

const credentials = { secretID: "id-of-an-application", secretKey: "a-secret-of-some-length" };

test("a rule of one's own is checked beside those of the package", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "call-media-instance-"));
  stack.defer(() => rm(folder, { recursive: true }));
  const file = join(folder, "own.yaml");
  const rule = "{ of: listPublicFlags, if: {}, then: { properties: { Name: { const: Ours } } } }";
  await writeFile(file, `relations: "1"\nrules:\n  - implies: ${rule}\n`);
  const flag = { Id: 7, Type: "Public", Name: "Theirs", DateCreated: "", DateModified: "" };
  const service = createService(signedIn(() => ({ body: toEnvelope([flag]) })));
  const { findings } = await checkApi({
    ...(await loadCallMedia({ files: [file] })),
    target: toApiTarget({ ...service, credentials }),
    options: { only: ["listPublicFlags"] },
  });
  expect(findings).toContainEqual(
    expect.objectContaining({ requirement: "implies.holds", operation: "listPublicFlags" }),
  );
});

test("what no relation describes is planned too, and can be left out", async () => {
  const { document, relations, open } = await loadCallMedia();
  const toLaws = (without: readonly string[]) =>
    explain(document, relations, {
      mayWrite: false,
      hasSecond: true,
      without,
      instance: open?.(),
    }).rules.map(({ law }) => law);
  expect(toLaws([])).toEqual(expect.arrayContaining(["searches-by-words", "page", "auth"]));
  expect(toLaws(["searches-by-words"])).not.toContain("searches-by-words");
});
