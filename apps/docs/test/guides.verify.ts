// The guides are true: their commands and programs are run, one after the other, as a reader would.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { startPostgres } from "@call-media/test-setup/postgres";
import { KEYS, openS3 } from "@call-media/test-setup/s3-server";
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

/** What commands of the guide have shown by name: `secretID   app_...`. */
type Shown = Map<string, string>;

const PLACEHOLDERS: Readonly<Record<string, (shown: Shown) => string | undefined>> = {
  CALL_MEDIA_API_KEY: () => demo.apiKey,
  CALL_MEDIA_SECRET_ID: (shown) => shown.get("secretID"),
  CALL_MEDIA_SECRET_KEY: (shown) => shown.get("secretKey"),
};

/** As a reader fills it in. `here` is where a service on his machine answers. */
const fillIn = (code: string, shown: Shown, here = demo.baseUrl): string =>
  code
    .replaceAll(BASE_URL, demo.baseUrl)
    .replaceAll("http://127.0.0.1:8080", here)
    // The last days before the day that the demo of the tests was made for.
    .replaceAll(/--last \w+/g, "--from 2026-10-05 --to 2026-10-31")
    .replaceAll(
      /(CALL_MEDIA_\w+)=\.\.\./g,
      (_whole, name: string) => `${name}=${PLACEHOLDERS[name]?.(shown)}`,
    );

/** Waits until it serves, does what is done meanwhile, and stops it. */
const toServed = (line: string, meanwhile: string): string =>
  `${line.replace("8080", "0").trim()} > served.txt & server=$!
trap 'kill $server 2> /dev/null || true' EXIT
until grep --silent Serving served.txt; do sleep 0.1; done
HERE=$(sed -n '/^Serving/{s/^[^,]* at //; s/,.*//; p;}' served.txt)
${meanwhile}
kill $server; wait $server`;

const SERVES = "runs until it is stopped";
const MEANWHILE = "runs while that serves";

const GUIDES = SECTIONS.flatMap(({ sources }) => sources).filter(({ path }) =>
  path.startsWith("apps/docs/guides/"),
);

/** A database and a bucket in place of those of the guides. */
async function openCloud() {
  const postgres = await startPostgres();
  const s3 = await openS3();
  const database = new URL(await postgres.createDatabase());
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = KEYS;
  return {
    fillIn: (code: string) =>
      code
        .replaceAll("postgres://call_media@db.example.com/call_media", database.href)
        .replaceAll("s3://recordings?region=eu-west-1", s3.address)
        .replace("PGPASSWORD=...", "PGPASSWORD=any")
        .replace("AWS_ACCESS_KEY_ID=...", `AWS_ACCESS_KEY_ID='${id}'`)
        .replace("AWS_SECRET_ACCESS_KEY=...", `AWS_SECRET_ACCESS_KEY='${secret}'`),
    [Symbol.asyncDispose]: async () => {
      await s3[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

describe.each(GUIDES)("$slug", async ({ read, slug }) => {
  let shell: Shell;
  let cloud: Awaited<ReturnType<typeof openCloud>> | undefined;
  beforeAll(async () => {
    shell = await openShell(demo);
    if (blocks.some(({ code }) => code.includes("@db.example.com"))) cloud = await openCloud();
  });
  afterAll(async () => {
    await cloud?.[Symbol.asyncDispose]();
    await shell[Symbol.asyncDispose]();
  });

  const blocks = toBlocks(await read());
  const run = blocks.filter(
    ({ note, language }) => ["sh", "ts"].includes(language) && !note.startsWith("not run here: "),
  );

  test("has something to run", () => {
    expect(run.length).toBeGreaterThan(0);
  });

  const shown: Shown = new Map();
  // A reader has one terminal, each block here one of its own.
  let exports = "";

  test.each(run.filter(({ note }) => note !== MEANWHILE))(
    "$language: $code",
    async ({ note, language, code }) => {
      const text = cloud?.fillIn(fillIn(code, shown)) ?? fillIn(code, shown);
      if (language === "ts") await writeFile(join(shell.folder, `${slug}.ts`), text);
      const line = language === "ts" ? `node ${slug}.ts` : text;
      const lines = note === SERVES ? toServed(line, meanwhile(shown)) : line;
      const ended = await shell.run(exports + lines);
      exports += (text.match(/^export .*$/gm) ?? []).map((one) => `${one}\n`).join("");
      for (const [, name = "", value = ""] of ended.out.matchAll(/^(\w+) {2,}(\S+)$/gm))
        shown.set(name, value);
      // A program that prints nothing shows nothing.
      const isSilent = language === "ts" && ended.out.trim() === "";
      expect({ ...ended, isSilent }, ended.error).toMatchObject({ code: 0, isSilent: false });
    },
  );

  const meanwhile = (known: Shown) =>
    run
      .filter(({ note }) => note === MEANWHILE)
      .map(({ code }) => fillIn(code, known, "$HERE"))
      .join("");
});
