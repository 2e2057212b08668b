// `check --body`: signing in to any API, with credentials that stand in no document.
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "./support/program.ts";

const KEY = "Correct-Horse-Battery";
const PIN = 48_291_357;
const string = { type: "string" };
const json = (schema: object) => ({ content: { "application/json": { schema } } });

const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Sessions", version: "1.0.0" },
  security: [{ token: [] }],
  components: {
    securitySchemes: {
      // No operation names it: the credentials of a caller are none of its kind.
      old: { type: "apiKey", in: "query", name: "key" },
      token: { type: "http", scheme: "bearer" },
    },
  },
  paths: {
    "/session": {
      post: {
        operationId: "signIn",
        security: [],
        requestBody: json({ type: "object", properties: { user: string, password: string } }),
        responses: { 200: json({ type: "object", properties: { token: string } }), 401: {} },
      },
    },
    "/me": { get: { operationId: "getMe", responses: { 200: json({ type: "object" }), 401: {} } } },
  },
  "x-relations": { rules: [{ signIn: { of: "signIn", token: "token", secret: "password" } }] },
};

let folder: string;
let document: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "check-body-"));
  document = join(folder, "openapi.json");
  await writeFile(document, JSON.stringify(DOCUMENT));
});
afterAll(() => rm(folder, { recursive: true }));

/** Hands out tokens; a wrong password gets one as well if `isLax`. */
async function startSessions(isLax: boolean) {
  const tokens = new Set(["of-the-caller"]);
  const server = createServer(async (request, response) => {
    const reply = (status: number, body: object) =>
      void response
        .writeHead(status, { "Content-Type": "application/json", "WWW-Authenticate": "Bearer" })
        .end(JSON.stringify(body));
    if (request.method === "POST") {
      const body = JSON.parse((await text(request)) || "{}") as { readonly password?: string };
      if (body.password !== KEY && !isLax) return reply(401, {});
      const token = crypto.randomUUID();
      tokens.add(token);
      return reply(200, { token });
    }
    const [, token = ""] = /^bearer (.*)$/i.exec(request.headers.authorization ?? "") ?? [];
    return reply(tokens.has(token) ? 200 : 401, {});
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

async function check(isLax: boolean) {
  await using sessions = await startSessions(isLax);
  const args = ["--document", document, "--base-url", sessions.baseUrl, "--format", "json"];
  const variables = {
    TOKEN: "of-the-caller",
    SIGN_IN: JSON.stringify({ user: "ada", password: KEY, device: { pin: PIN } }),
  };
  const callers = ["--caller", "first=TOKEN", "--body", "signIn=SIGN_IN"];
  const { stdout } = await run(["check", ...args, ...callers], variables);
  // Signing in is tried with the letter case changed as well.
  for (const secret of [KEY, "cORRECT-hORSE-bATTERY", String(PIN)])
    expect(stdout).not.toContain(secret);
  const report = JSON.parse(stdout) as Record<"kept" | "findings", { requirement: string }[]>;
  return {
    kept: report.kept.map(({ requirement }) => requirement),
    found: report.findings.map(({ requirement }) => requirement),
  };
}

test("right credentials get a token that works, and wrong ones none", async () => {
  const { kept, found } = await check(false);
  expect(kept).toEqual(expect.arrayContaining(["signIn.works", "signIn.fresh", "signIn.wrong"]));
  expect(found.filter((requirement) => requirement.startsWith("signIn"))).toEqual([]);
});

test.each([
  ["getMe=SIGN_IN", {}, "--body getMe: no operation of the document with that id has a body"],
  ["signin=SIGN_IN", {}, "did you mean signIn?"],
  ["signIn=SIGN_IN", {}, "--body signIn: the environment variable SIGN_IN is not set"],
  ["signIn=SIGN_IN", { SIGN_IN: KEY }, "the environment variable SIGN_IN holds no JSON object"],
  ["signIn", {}, "--body takes an operation and a variable, such as signIn=SIGN_IN"],
  [`signIn=${KEY}`, {}, "the secret stands in the variable"],
  ["signIn=battery_horse", {}, "--body signIn: the environment variable of that name is not set"],
])("--body %s with %j is refused", async (body, variables, fault) => {
  const args = ["--document", document, "--base-url", "http://127.0.0.1:9", "--body", body];
  const { code, stderr } = await run(["check", ...args], variables);
  expect(code).toBe(2);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(fault);
  expect(stderr).not.toContain(KEY);
  expect(stderr).not.toContain("battery_horse");
});
