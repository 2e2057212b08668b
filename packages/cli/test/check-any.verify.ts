// Runs `check` on an API of its own, as users do: what reports show, when they are written, and which runs must not pass.
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "./support/program.ts";

const SECRET = "tok-5ecret-<&>-Abcd";
const PASSWORD = "the-Pass-word-of-ada";
const string = { type: "string" };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const NOTE = { type: "object", properties: { id: string }, required: ["id"] };

const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Notes", version: "1.0.0" },
  security: [{ main: [] }],
  components: { securitySchemes: { main: { type: "http", scheme: "bearer" } } },
  paths: {
    "/notes": {
      get: {
        operationId: "listNotes",
        responses: { 200: json({ type: "array", items: NOTE }), 401: {}, 404: {}, 405: {} },
      },
      post: {
        operationId: "addNote",
        requestBody: { required: true, ...json(NOTE) },
        responses: { 201: json(NOTE), 400: {}, 401: {} },
      },
    },
    "/notes/{noteId}": {
      parameters: [{ name: "noteId", in: "path", required: true, schema: string }],
      get: { operationId: "getNote", responses: { 200: json(NOTE), 401: {}, 404: {}, 405: {} } },
    },
  },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "check-any-"));
  await mkdir(join(folder, ".git"));
  await writeFile(join(folder, "openapi.json"), JSON.stringify(DOCUMENT));
});
afterAll(() => rm(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

/** Shows whoever asks the credentials that came, in many ways, and is not exact about them if `isLax`. */
async function startNotes(ids: readonly string[], isLax = false, onAsked = () => {}) {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    onAsked();
    const sent = request.headers.authorization ?? "";
    const isIn = isLax ? sent !== "" : sent.replace(/^bearer /i, "") === SECRET;
    const [, , id] = decodeURIComponent(request.url ?? "").split(/[/?]/);
    const found = id === undefined ? ids.map((one) => ({ id: one })) : { id };
    const isFound = id === undefined || ids.includes(id);
    const status = !isIn ? 401 : request.method === "POST" ? 201 : isFound ? 200 : 404;
    const body = status === 201 ? { id: `made-${(count += 1)}` } : found;
    const shown = [sent, sent.toUpperCase(), encodeURIComponent(sent), btoa(sent)].join(" ");
    response.writeHead(isLax && id !== undefined && status === 200 ? 218 : status, {
      "Content-Type": "application/json",
      "WWW-Authenticate": "Bearer",
      ...(isLax && { "X-Sent": shown }),
    });
    const isHead = request.method === "HEAD";
    response.end(
      isHead ? "" : JSON.stringify(isLax && status === 200 ? [found, shown].flat() : body),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

async function check(baseUrl: string, args: readonly string[], variables: object = {}) {
  const given = ["--document", at("openapi.json"), "--base-url", baseUrl, "--caller", "first=KEY"];
  return await run(["check", ...given, ...args], { KEY: SECRET, ...variables });
}

/** SARIF names files of the repository that the program runs in. */
const FORMATS = ["text", "json", "junit", "markdown"];

test.each([
  ["a token", SECRET, SECRET],
  ["Basic", `Basic ${btoa(`ada:${PASSWORD}`)}`, PASSWORD],
])("no report in any format shows %s, nor what is nearly it", async (_about, KEY, secret) => {
  await using notes = await startNotes(["a", "b"], true);
  const reports = FORMATS.flatMap((format) => ["--report", `${format}=${at(`r.${format}`)}`]);
  const { code, stdout, stderr } = await check(
    notes.baseUrl,
    [...reports, "--har", at("r.har"), "--write"],
    { KEY },
  );
  expect(code).toBe(1);
  const files = await Promise.all(
    [...FORMATS, "har"].map((format) => readFile(at(`r.${format}`), "utf8")),
  );
  const swapped = secret.replaceAll(/[a-z]/gi, (one) =>
    one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase(),
  );
  const near = [secret, secret.slice(0, -1), secret.slice(1), secret.toUpperCase(), swapped];
  const written = near.flatMap((one) => [
    one,
    encodeURIComponent(one),
    JSON.stringify(one).slice(1, -1),
    one.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    one.replaceAll(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`),
    btoa(`ada:${one}`).replace(/=+$/, "").slice(0, -1),
    btoa(`Bearer ${one}`).replace(/=+$/, "").slice(0, -1),
  ]);
  for (const report of [stdout, stderr, ...files])
    expect(written.filter((one) => report.includes(one))).toEqual([]);
  expect(files.every((file) => file.includes("$FIRST_KEY"))).toBe(true);
  // What could not be deleted is named in each.
  for (const file of files.slice(0, -1)) expect(file).toContain("/notes/made-1");
});

test("a report that cannot be written takes no other one away", async () => {
  await mkdir(at("shut"));
  // Between the look at the folder and the end of the run.
  const shut = () => rmSync(at("shut"), { recursive: true, force: true });
  await using notes = await startNotes(["a", "b"], false, shut);
  const reports = ["--report", `junit=${at("shut/r.xml")}`, "--report", `json=${at("r2.json")}`];
  const { code, stdout, stderr } = await check(notes.baseUrl, reports);
  expect(stderr).toContain("shut");
  expect(code).not.toBe(0);
  expect(JSON.parse(await readFile(at("r2.json"), "utf8"))).toMatchObject({ verdict: "kept" });
  expect(stdout).toContain("The service keeps");
});

test("a check of an empty service passes only with --empty-ok", async () => {
  await using notes = await startNotes([]);
  const { code, stderr } = await check(notes.baseUrl, []);
  expect(code).toBe(2);
  expect(stderr).toContain("nothing was there to look at: listNotes (it had no row)");
  expect(stderr).toContain(notes.baseUrl);
  expect((await check(notes.baseUrl, ["--empty-ok"])).code).toBe(0);
});

test("a check that passes without relations names what it did not check, and how to check it", async () => {
  await using notes = await startNotes(["a", "b"]);
  const without = await check(notes.baseUrl, []);
  expect(without.stdout).toMatch(/keeps[^]*\n\nNot looked at without relations: filters/);
  expect(without.stdout).toContain("--init");
  const rules = [{ sameAs: { of: "getNote", as: "listNotes" } }];
  await writeFile(at("relations.json"), JSON.stringify({ relations: "1", rules }));
  const related = await check(notes.baseUrl, ["--relations", at("relations.json")]);
  expect(related.stderr).toBe("");
  expect(related.stdout).toMatch(/keeps/);
  expect(related.stdout).not.toContain("Not looked at without");
});
