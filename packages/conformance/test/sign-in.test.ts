// Signing in to any API: a service that does it with care, and one with each of these faults.
import { expect, test } from "vitest";
import { checkApi, loadRelations, parseDocument } from "../src/index.ts";
import { startService } from "./services.ts";

const text = { type: "string" };
const json = (schema: object) => ({ content: { "application/json": { schema } } });

const DOCUMENT = {
  openapi: "3.1.0",
  security: [{ token: [] }],
  components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  paths: {
    "/session": {
      post: {
        operationId: "signIn",
        security: [],
        requestBody: json({ type: "object", properties: { user: text, password: text } }),
        responses: {
          200: json({ type: "object", properties: { token: text, until: text } }),
          401: {},
        },
      },
    },
    "/me": { get: { operationId: "getMe", responses: { 200: json({ type: "object" }), 401: {} } } },
  },
  "x-relations": {
    rules: [
      {
        signIn: {
          of: "signIn",
          token: "token",
          secret: "password",
          expires: "until",
          life: [60, 3600],
        },
      },
    ],
  },
};

const BODY = { user: "ada-of-the-tests", password: "Correct-Horse-Battery" };

interface Parts {
  readonly isRight: (user: string, password: string) => boolean;
  readonly toToken: (count: number) => string;
  readonly lifeS: number;
  /** Of tokens, by the order in which they were issued, the one that is asked with and the number of all. */
  readonly isTaken: (index: number, all: number) => boolean;
  readonly toRefusal: (user: string) => { readonly status: number; readonly body: string };
}

const PARTS: Parts = {
  isRight: (user, password) => user === BODY.user && password === BODY.password,
  toToken: (count) => `token-number-${count}-of-some-length`,
  lifeS: 600,
  isTaken: (index) => index >= 0,
  toRefusal: () => ({ status: 401, body: "{}" }),
};

async function check(faults: Partial<Parts> = {}) {
  const parts = { ...PARTS, ...faults };
  const tokens: string[] = [];
  await using service = await startService(async (request, response) => {
    const reply = (status: number, body: string) =>
      void response
        .writeHead(status, { "Content-Type": "application/json", "WWW-Authenticate": "Bearer" })
        .end(body);
    if (request.method !== "POST") {
      const index = tokens.indexOf(request.headers.authorization?.slice("Bearer ".length) ?? "");
      const isFirst = request.headers.authorization === "Bearer of-the-caller";
      return reply(isFirst || parts.isTaken(index, tokens.length) ? 200 : 401, "{}");
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as typeof BODY; // sent by the kit
    if (!parts.isRight(body.user, body.password)) {
      const refusal = parts.toRefusal(body.user);
      return reply(refusal.status, refusal.body);
    }
    const token = parts.toToken(tokens.length);
    tokens.push(token);
    const until = new Date(Date.now() + parts.lifeS * 1000).toISOString();
    return reply(200, JSON.stringify({ token, until }));
  });
  const placeOf = () => ({ file: "openapi.json", line: 1 });
  const document = parseDocument({ file: "openapi.json", document: DOCUMENT, placeOf });
  return await checkApi({
    document,
    relations: await loadRelations(document),
    target: {
      baseUrl: service.baseUrl,
      first: { headers: { Authorization: "Bearer of-the-caller" } },
      bodies: { signIn: BODY },
    },
  });
}

test("a service that signs in with care has no finding, and its clauses are seen at work", async () => {
  const { findings, kept } = await check();
  const ofSignIn = (all: readonly { readonly requirement: string }[]) =>
    all.map(({ requirement }) => requirement).filter((one) => one.startsWith("signIn."));
  expect(ofSignIn(findings)).toEqual([]);
  expect(ofSignIn(kept).toSorted()).toEqual(
    ["alike", "expires", "fresh", "life", "status", "works", "wrong"].map((one) => `signIn.${one}`),
  );
});

test.each<readonly [clause: string, about: string, faults: Partial<Parts>]>([
  [
    "signIn.works",
    "a new token ends the one before",
    { isTaken: (index, all) => index === all - 1 },
  ],
  ["signIn.fresh", "each token is the same", { toToken: () => "the-same-token-for-everybody" }],
  ["signIn.fresh", "a token can be guessed", { toToken: String }],
  ["signIn.expires", "a token has expired at once", { lifeS: -600 }],
  ["signIn.life", "a token is good for a day", { lifeS: 86_400 }],
  [
    "signIn.wrong",
    "letter case of the secret does not count",
    { isRight: (_, password) => password.toLowerCase() === BODY.password.toLowerCase() },
  ],
  ["signIn.status", "a refusal is 403", { toRefusal: () => ({ status: 403, body: "{}" }) }],
  [
    "signIn.alike",
    "a refusal tells whether there is such a user",
    { toRefusal: (user) => ({ status: 401, body: JSON.stringify(user === BODY.user) }) },
  ],
])("%s: %s", async (clause, _about, faults) => {
  const { findings } = await check(faults);
  expect(findings.map(({ requirement }) => requirement)).toContain(clause);
});

test("neither the secret nor a token is in the report", async () => {
  const report = JSON.stringify(await check({ lifeS: -600 }));
  expect(report).toContain("signIn.expires");
  expect(report).not.toContain(BODY.password);
  expect(report).not.toContain("token-number-");
});
