// No report of recorded traffic has a secret in it: they are known by the names of headers, parameters and fields alone.
import { expect, test } from "vitest";
import { isTelling } from "../src/traffic/sensitive.ts";
import { judge, type Made, toEntry } from "./recorded.ts";
import { fields, operation, TEXT } from "./styles.ts";
import { SECRET, WAYS } from "./ways.ts";

const NUMBER = { type: "number" };
const PATHS = {
  "/things": {
    get: operation("listThings", { 200: fields({ shown: NUMBER }) }),
    post: operation("addThing", { 200: fields({ shown: NUMBER }) }),
  },
};

const base64 = (text: string) => Buffer.from(text).toString("base64");
const POST = { method: "POST" };

/** Places in which a secret comes, by what they are called. */
const PLACES: Readonly<Record<string, Partial<Made>>> = {
  "Authorization: Bearer": { asking: { authorization: `Bearer ${SECRET}` } },
  "Authorization: Basic": { asking: { Authorization: `Basic ${base64(`user:${SECRET}`)}` } },
  "a cookie": { asking: { cookie: `theme=dark; session=${SECRET}; lang=en` } },
  "a header with a telling name": { asking: { "x-acme-api-key": SECRET } },
  "a new cookie": { headers: { "set-cookie": `sid=${SECRET}; Path=/; HttpOnly` } },
  "a header of the response": { headers: { "x-csrf-token": SECRET } },
  "the key of the document": { asking: { "x-acme": SECRET } },
  "a parameter": { url: `/things?access_token=${encodeURIComponent(SECRET)}` },
  "the address": { url: `https://user:${encodeURIComponent(SECRET)}@api.test/things` },
  "a field of the request": { ...POST, sent: { deep: [{ clientSecret: SECRET }] } },
  "a field of the response": { body: { auth: { refresh_token: SECRET } } },
};

const SCHEMES = {
  components: { securitySchemes: { main: { type: "apiKey", in: "header", name: "X-Acme" } } },
};

test.each(Object.entries(PLACES))("the secret in %s is in no report", async (_place, made) => {
  // A later entry shows it in every way, below names that tell nothing; each entry has a finding.
  const shown = Object.values(WAYS).map((write) => write(SECRET));
  const telling = shown.map((value) => ({ url: "/things", body: { shown: value } }));
  const first = { url: "/things", body: { shown: "x" }, ...made };
  const entries = [...telling.slice(0, 8), first, ...telling.slice(8)].map(toEntry);
  const report = await judge(PATHS, entries, { more: SCHEMES });
  expect(report.findings.length).toBeGreaterThan(0);
  const all = JSON.stringify(report);
  for (const value of shown) {
    expect(all).not.toContain(value);
    expect(all).not.toContain(JSON.stringify(value).slice(1, -1));
  }
  expect(all.toLowerCase()).not.toContain("1234ef/own");
  expect(all).toMatch(/\$[A-Z_]*(?:TOKEN|KEY|SECRET|PASSWORD)/);
});

test("a JSON Web Token is hidden wherever it stands, and where a sentence shortens it", async () => {
  const token = `eyJ${"hbGciOiJIUzI1NiJ9".repeat(2)}.eyJzdWIiOiI3In0${"A1".repeat(40)}.c2ln`;
  const rules = [{ echo: { of: "listThings", param: "plain", field: "plain" } }];
  const { findings } = await judge(
    {
      "/things": {
        get: {
          ...operation("listThings", { 200: fields({ plain: TEXT }) }),
          parameters: [{ in: "query", name: "plain", schema: TEXT }],
        },
      },
    },
    [toEntry({ url: "/things?plain=other", body: { plain: token, more: token } })],
    { rules },
  );
  expect(findings.length).toBeGreaterThan(0);
  expect(JSON.stringify(findings)).not.toContain("eyJ");
});

test("with more secrets than are remembered, those of findings and what looks like one are hidden", async () => {
  const toToken = (index: number) => `tok${index}.${"z9".repeat(10)}`;
  const others = Array.from({ length: 600 }, (_, index) => ({
    url: "/things",
    body: { shown: 1 },
    asking: { authorization: `Bearer ${toToken(index)}` },
  }));
  const last = {
    url: "/things",
    body: { shown: "x", other: toToken(599), password: "short" },
    asking: { authorization: "Bearer pass-word" },
  };
  const { findings } = await judge(PATHS, [...others, last].map(toEntry));
  const all = JSON.stringify(findings);
  expect(findings.length).toBeGreaterThan(0);
  for (const secret of [toToken(599), toToken(0), "pass-word", "short"])
    expect(all).not.toContain(secret);
});

test.each([
  "password",
  "X-Api-Key",
  "clientSecret",
  "id_token",
  "Set-Cookie",
  "sessionId",
  "apikey",
])("%s names a secret", (name) => {
  expect(isTelling(name)).toBe(true);
});

test.each([
  "nextPageToken",
  "page_token",
  "token_type",
  "passwordUpdatedAt",
  "key",
  "author",
  "design",
])("%s names none", (name) => {
  expect(isTelling(name)).toBe(false);
});
