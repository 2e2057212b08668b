// The sources of the pages: their links, and the pages that are generated.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { document, routes } from "@call-media/api";
import * as client from "@call-media/client";
import * as node from "@call-media/client/node";
import { expect, test } from "vitest";
import { buildPages } from "../src/build.ts";
import { writeChanges } from "../src/pages/changes.ts";
import { writeClientApi } from "../src/pages/client-api.ts";
import { writeErrors } from "../src/pages/errors.ts";

test("no link of a guide or a README leads nowhere", async () => {
  const folder = await mkdtemp(join(tmpdir(), "call-media-site-"));
  try {
    expect(await buildPages(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the errors have every status of the contract, and the sentence of every example", async () => {
  const text = await writeErrors();
  const refusals = routes.flatMap(({ responses }) =>
    Object.entries(responses).filter(([status]) => status >= "400"),
  );
  expect(refusals.length).toBeGreaterThan(80);
  for (const [status, { content }] of refusals) {
    expect(text).toMatch(new RegExp(`^## ${status} \\w+`, "m"));
    for (const { value } of Object.values(content?.["application/json"]?.examples ?? {})) {
      const { errorMessage } = value as { errorMessage: string }; // of every refusal (D13)
      expect(text.replaceAll("\\", "")).toContain(`| ${errorMessage} |`);
    }
  }
});

test("the changes have the contract's version and what waits for a release", async () => {
  const text = await writeChanges();
  expect(text).toContain(`[${document.info.version}, as it is here](reference.html)`);
  expect(text).toMatch(/^## Not yet released\n\n(?:\*\*@call-media|Nothing waits)/m);
});

test("the API of the client has every export, with its documentation, above its types", async () => {
  const text = await writeClientApi();
  const headings = [...text.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  for (const name of [...Object.keys(client), ...Object.keys(node)])
    expect(headings).toContain(name);
  expect(text).toContain("Parent of every error that a call fails with.");
  expect(headings.indexOf("createClient")).toBeLessThan(headings.indexOf("ClientOptions"));
  expect(text).not.toContain("{@link");
});
