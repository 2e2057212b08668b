// The examples of the reference compile, and do against the demo service what they say.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { SITE } from "../src/places.ts";
import { BASE_URL } from "../src/samples/example-input.ts";
import { samples, withSamples } from "../src/samples/samples.ts";
import { openShell, type Shell } from "./support/shell.ts";

const demo = inject("demo");
const TSC = join(SITE, "node_modules/typescript/bin/tsc");

let shell: Shell;
beforeAll(async () => {
  shell = await openShell(demo);
});
afterAll(() => shell[Symbol.asyncDispose]());

const listed = [...samples].flatMap(([id, ofOperation]) =>
  ofOperation.map(({ lang, label, source }) => ({
    id,
    label,
    lang,
    source: source.replaceAll(BASE_URL, demo.baseUrl),
  })),
);
const inShell = listed.filter(({ lang }) => lang === "Shell");
const programs = listed.filter(({ lang }) => lang === "TypeScript");

test("every operation has one by curl, in TypeScript and on the command line, the document as well", () => {
  for (const ofOperation of samples.values())
    expect(ofOperation.map(({ label }) => label)).toEqual(["curl", "TypeScript", "call-media"]);
  const operations = Object.values(withSamples().paths).flatMap((item) => Object.values(item));
  expect(operations).toHaveLength(samples.size);
  for (const operation of operations)
    expect(operation).toMatchObject({
      "x-codeSamples": samples.get(operation.operationId as never),
    });
});

test.each(inShell)("$id by $label", async ({ id, label, source }) => {
  const typed = `${demo.credentials.secretID}\n${demo.credentials.secretKey}\n`;
  // What one saves is not in the way of another.
  const { code, out, error } = await shell.run(`mkdir ${label}-${id}; cd $_\n${source}`, typed);
  // An example that finds nothing shows nothing, or says so; what is saved is not shown.
  const isSaved = /call\.wav|login/.test(source);
  const isEmpty = out.trim() === "" || /"data":\[\]|"users": \[\]|\b0 announced/.test(out);
  expect({ code, error, isEmpty }).toMatchObject({ code: 0, isEmpty: isSaved && isEmpty });
});

test("those in TypeScript compile", async () => {
  for (const { id, source } of programs) await writeFile(join(shell.folder, `${id}.ts`), source);
  const options =
    "--noEmit --strict --skipLibCheck --allowImportingTsExtensions --module nodenext --target es2024 --types node";
  const { code, out } = await shell.run(`node ${TSC} ${options} *.ts`);
  expect([code, out]).toEqual([0, ""]);
});

test.each(programs)("$id in TypeScript", async ({ id, source }) => {
  await writeFile(join(shell.folder, `${id}.ts`), source);
  const { code, out, error } = await shell.run(`node ${id}.ts`);
  expect([code, error]).toEqual([0, ""]);
  expect(out.trim()).not.toMatch(/^(?:undefined|\[\])?$/);
});
