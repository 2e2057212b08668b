// The packages in an empty project: installed from their tarballs by npm, imported, compiled against, and run.
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { routes } from "@call-media/api";
import { generate } from "selfsigned";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { findTypeErrors, resolutions } from "../src/compile.ts";
import { type PackedPackage, readPacked } from "../src/packed-package.ts";
import { findFirstExample, toProgram } from "../src/readme-examples.ts";
import { repository, run } from "../src/run.ts";
import {
  checkContract,
  countExports,
  createStranger,
  type Demo,
  listModules,
  listPeers,
  serveDemo,
  type Stranger,
} from "../src/stranger.ts";
import { findFault, listBlocks, NOT_RUN } from "./support/readme-commands.ts";

// The oldest and the newest supported version; pnpm release:rehearse tests those between.
const [oldest, newest] = ["typescript-5.5", "typescript"].map((name) =>
  fileURLToPath(new URL("bin/tsc", import.meta.resolve(`${name}/package.json`))),
) as [string, string]; // one each
const compilations = resolutions.flatMap((resolution) => [
  { resolution, compiler: oldest, version: "5.5" },
  { resolution, compiler: newest, version: "7" },
]);

const packages = await readPacked(inject("packed"));
let stranger: Stranger;
let demo: Demo & AsyncDisposable;
const made = new AsyncDisposableStack();
beforeAll(async () => {
  stranger = made.use(await createStranger());
  await stranger.install([...listPeers(packages), "@types/node@24.19.2"], packages);
  demo = made.use(await serveDemo(stranger));
});
afterAll(() => made.disposeAsync());

test("every module can be imported", async () => {
  const modules = listModules(packages);
  expect(modules).toEqual(expect.arrayContaining(["@call-media/client/node", "@call-media/store"]));
  const counts = await countExports(modules, stranger);
  expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
});

test("npx serves the demo archive, and says that the service keeps the contract", async () => {
  const all = `${routes.length} of ${routes.length} operations`;
  expect(await checkContract(demo, stranger)).toContain(all);
});

test("the first example of the client gives a call of the demo archive", async () => {
  const example = findFirstExample(readmeOf("client")) ?? "";
  const program = example
    .replace("https://archive.example.com", demo.baseUrl)
    .replace('{ secretID: "...", secretKey: "..." }', JSON.stringify(demo.credentials))
    .replace(/call_id: "\d+"/, `call_id: "${demo.examples.call_id}"`);
  await writeFile(join(stranger.cwd, "first-example.js"), program);
  expect(await run(["node", "first-example.js"], stranger)).toMatch(/^\d{4}-\d\d-\d\d/);
});

describe("the commands of a README are run as they stand", () => {
  const readmes = [
    { path: "README.md", text: readFileSync(join(repository, "README.md"), "utf8") },
    ...packages.map(({ manifest: { name }, read }) => ({ path: name, text: read("README.md") })),
  ];

  test.each(readmes)("$path", async ({ path: of, text }) => {
    const cwd = await mkdtemp(join(stranger.cwd, "readme-"));
    await writeFile(
      join(cwd, "calls.jsonl"),
      '{"kind":"call","call_id":"1","datetime":"2026-03-02T09:00:00Z"}\n',
    );
    const { private: key, cert } = await generate([{ name: "commonName", value: "127.0.0.1" }]);
    await Promise.all([
      writeFile(join(cwd, "key.pem"), key),
      writeFile(join(cwd, "cert.pem"), cert),
    ]);
    const { secretID, secretKey } = demo.credentials;
    const given = (line: string) =>
      line
        .replaceAll("https://archive.example.com", demo.baseUrl)
        .replaceAll("300000004821507", demo.examples.call_id)
        .replace(
          "SECRET_ID=... CALL_MEDIA_SECRET_KEY=...",
          `SECRET_ID=${secretID} CALL_MEDIA_SECRET_KEY=${secretKey}`,
        )
        .replace("--host 0.0.0.0 --port 443", "--host 127.0.0.1 --port 0");
    const bin = join(stranger.cwd, "node_modules/.bin");
    const path = [bin, dirname(process.execPath), process.env["PATH"]].join(delimiter);
    const variables = {
      PATH: path,
      HOME: cwd,
      XDG_CONFIG_HOME: cwd,
      PORT: "0",
      // The other READMEs set these in an earlier command, or login stores them.
      ...(of === "@call-media/client" && {
        CALL_MEDIA_SECRET_ID: secretID,
        CALL_MEDIA_SECRET_KEY: secretKey,
      }),
    };
    for (const block of listBlocks(text)) {
      const lines = block.filter((line) => NOT_RUN[line] === undefined).map(given);
      const shell = { cwd, variables, input: `${secretID}\n${secretKey}\n` };
      expect(await findFault(lines, shell)).toBeUndefined();
    }
  });

  test("but those that are listed with a reason", () => {
    const lines = new Set(readmes.flatMap(({ text }) => listBlocks(text).flat()));
    expect(lines.size).toBeGreaterThan(20);
    expect(Object.keys(NOT_RUN).filter((line) => !lines.has(line))).toEqual([]);
  });

  test("and one that fails, or does not serve, is seen", async () => {
    const shell = { cwd: stranger.cwd, variables: {}, input: "" };
    expect(await findFault(["true", "false"], shell)).toContain("1: true");
    expect(await findFault(["call-media-server serve --none"], shell)).toContain("serve --none");
  });
});

test.each(["Containerfile", "call-media-server.service"])(
  "%s starts the service with options that it has",
  async (name) => {
    const text = await readFile(join(repository, "packages/server/deploy", name), "utf8");
    const command = /^(?:CMD|ExecStart=).*/m.exec(text)?.[0] ?? "";
    const options = command.match(/--[a-z-]+/g) ?? [];
    expect(options).toContain("--tls-cert");
    const help = await run(["npx", "@call-media/server", "serve", "--help"], stranger);
    expect(options.filter((option) => !help.includes(`${option} `))).toEqual([]);
  },
);

test.each(compilations)(
  "the examples of every README compile: $resolution, TypeScript $version",
  async ({ resolution, compiler }) => {
    const files = await Promise.all(packages.map(writeExamples));
    expect(await findTypeErrors({ cwd: stranger.cwd, compiler, resolution, files })).toBe("");
  },
);

test.each(compilations)(
  "the client needs no types of Node.js: $resolution, TypeScript $version",
  async ({ resolution, compiler }) => {
    const lines = ['export { createClient } from "@call-media/client";\n'];
    await writeFile(join(stranger.cwd, "browser.ts"), lines);
    const files = ["browser.ts"];
    const program = { cwd: stranger.cwd, compiler, resolution, files, isForBrowser: true };
    expect(await findTypeErrors(program)).toBe("");
  },
);

test("a type that is wrong does not compile", async () => {
  const wrong =
    'import { createClient } from "@call-media/client";\ncreateClient({ baseUrl: 1 });\n';
  await writeFile(join(stranger.cwd, "wrong.ts"), wrong);
  const project = { cwd: stranger.cwd, compiler: newest, resolution: "nodenext" } as const;
  const found = await findTypeErrors({ ...project, files: ["wrong.ts"] });
  expect(found).toMatch(/wrong\.ts\(2,\d+\): error TS2322/);
});

function readmeOf(name: string): string {
  const found = packages.find(({ manifest }) => manifest.name === `@call-media/${name}`);
  return found?.read("README.md") ?? "";
}

async function writeExamples({ manifest, read }: PackedPackage): Promise<string> {
  const name = `${manifest.name.split("/")[1]}.README.ts`;
  await writeFile(join(stranger.cwd, name), toProgram(read("README.md")));
  return name;
}
