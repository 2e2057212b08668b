// The guides are true: their commands and programs are run, one after the other, as a reader would.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { BASE_URL } from "../src/samples/example-input.ts";
import { SECTIONS } from "../src/sections.ts";
import { openShell, type Shell } from "./support/shell.ts";

const demo = inject("demo");

interface Block {
  /** What stands in a comment before it. */
  readonly note: string;
  readonly language: string;
  readonly code: string;
}

const FENCE = /(?:<!-- (.*?) -->\n\n)?^```(\w+)\n([^]*?)^```$/gm;

const toBlocks = (text: string): Block[] =>
  [...text.matchAll(FENCE)].map(([, note = "", language = "", code = ""]) => ({
    note,
    language,
    code,
  }));

const SECRETS: Readonly<Record<string, string>> = {
  CALL_MEDIA_API_KEY: demo.apiKey,
};

/** As a reader fills it in. */
const fillIn = (code: string): string =>
  code
    .replaceAll(BASE_URL, demo.baseUrl)
    .replaceAll("http://127.0.0.1:8080", demo.baseUrl)
    .replaceAll(/(CALL_MEDIA_\w+)=\.\.\./g, (_whole, name: string) => `${name}=${SECRETS[name]}`);

/** Waits until it serves, and stops it. */
const toServed = (line: string): string =>
  `${line.replace("8080", "0").trim()} > served.txt & server=$!
until grep --silent Serving served.txt; do sleep 0.1; done
kill $server; wait $server`;

describe.each(SECTIONS[0]?.sources ?? [])("$slug", async ({ read, slug }) => {
  let shell: Shell;
  beforeAll(async () => {
    shell = await openShell(demo);
  });
  afterAll(() => shell[Symbol.asyncDispose]());

  const blocks = toBlocks(await read());
  const run = blocks.filter(({ note }) => !note.startsWith("not run here: "));

  test("has something to run", () => {
    expect(run.length).toBeGreaterThan(0);
  });

  test.each(run)("$language: $code", async ({ note, language, code }) => {
    const text = fillIn(code);
    if (language === "ts") await writeFile(join(shell.folder, `${slug}.ts`), text);
    const line = language === "ts" ? `node ${slug}.ts` : text;
    const ended = await shell.run(note === "runs until it is stopped" ? toServed(line) : line);
    // A program that prints nothing shows nothing.
    const isSilent = language === "ts" && ended.out.trim() === "";
    expect({ ...ended, isSilent }).toMatchObject({ code: 0, isSilent: false });
  });
});
