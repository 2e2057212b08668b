// However a secret is written, it is shown by its name alone.
import { expect, test } from "vitest";
import { createSecrets } from "../src/http/secrets.ts";
import type { Exchange } from "../src/index.ts";
import { check, fields, operation, type Reply, TEXT, type toFetch } from "./styles.ts";
import { SECRET, WAYS } from "./ways.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

test.each(Object.entries(WAYS))("%s", (_way, write) => {
  const secrets = createSecrets();
  secrets.add(SECRET, "$FIRST_KEY");
  const shown = secrets.hide(`before ${write(SECRET)} after`);
  expect(shown).toContain("$FIRST_KEY");
  expect(shown).toMatch(/^before /);
  expect(shown).toMatch(/ after$/);
  expect(shown.toLowerCase()).not.toContain(SECRET.slice(1, -1).toLowerCase());
  expect(shown).not.toContain(write(SECRET));
});

test("it is said how far a near miss misses", () => {
  const secrets = createSecrets();
  secrets.add("abCD-1234ef", "$FIRST_KEY");
  expect(secrets.hide("ABCD-1234EF, ABcd-1234EF, abCD-1234e, YWJDRC0xMjM0ZWY=")).toBe(
    "$FIRST_KEY in capitals, $FIRST_KEY in other letter case, $FIRST_KEY less one letter, $FIRST_KEY in base64",
  );
});

test("words that a short secret is a part of stay", () => {
  const secrets = createSecrets();
  secrets.add("tests", "$FIRST_KEY");
  expect(secrets.hide("the latest test, attested")).toBe(
    "the latest $FIRST_KEY less one letter, attested",
  );
});

interface Shown {
  readonly way: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly baseUrl?: string;
  readonly bodies?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const GIVEN: readonly Shown[] = [
  { way: "Bearer", headers: { Authorization: `Bearer ${SECRET}` } },
  { way: "a header in small letters", headers: { authorization: `bearer  ${SECRET}` } },
  { way: "a header of its own", headers: { "x-Api-KEY": SECRET } },
  { way: "a scheme of its own", headers: { Authorization: `Token token="${SECRET}", nonce=1` } },
  { way: "Basic", headers: { Authorization: `Basic ${base64(`user:${SECRET}`)}` } },
  { way: "one of several cookies", headers: { Cookie: `theme=dark; session=${SECRET}; lang=en` } },
  { way: "a parameter", query: { api_key: SECRET } },
  { way: "the address", baseUrl: `http://user:${encodeURIComponent(SECRET)}@styles.test` },
  { way: "a body", bodies: { signIn: { user: "ada", deep: { password: SECRET }, keep: true } } },
];

const PATHS = {
  "/a": { get: operation("readA", { 200: fields({ id: TEXT }) }) },
  "/b": { get: operation("readB", { 200: fields({ id: TEXT }) }) },
  "/c": { get: operation("readC", { 200: fields({ id: TEXT }) }) },
  "/session": {
    post: { ...operation("signIn", { 200: fields({ token: TEXT }) }, fields({})), security: [] },
  },
};

const TOKENS = {
  token: "a-fresh-token-of-the-service-0123456789",
  refresh: "another-fresh-token-0123456789abcdef",
};

/** Lets anybody in, and shows what it was sent in every way. */
const telling: Parameters<typeof toFetch>[0] = ({ headers, query, body, steps }): Reply => {
  const sent = [...headers.values(), ...query.values(), JSON.stringify(body ?? "")].join(" ");
  const written = Object.values(WAYS).map((write) => write(sent.slice(0, 300)));
  return {
    status: steps[0] === "session" ? 200 : 218,
    body: { id: written.slice(0, 12), ...(steps[0] === "session" && TOKENS) },
    headers: {
      "X-Sent": encodeURIComponent(sent),
      Location: `https://login.test/?next=${base64(sent)}`,
      "Set-Cookie": "sid=the-session-of-this-caller-0123; Path=/",
      "X-Session": "THE-SESSION-OF-THIS-CALLER-0123",
    },
  };
};

test.each(GIVEN)("no report and no exchange has the secret of $way", async (given) => {
  const { headers = {}, query, baseUrl = "http://styles.test", bodies = {} } = given;
  const exchanges: Exchange[] = [];
  const report = await check(PATHS, telling, {
    rules: [{ signIn: { of: "signIn", token: "token", secret: "deep" } }],
    target: { baseUrl, bodies, first: { headers, ...(query && { query }) } },
    onExchange: (exchange) => void exchanges.push(exchange),
  });
  const all = JSON.stringify([report, exchanges]);
  expect(exchanges.length).toBeGreaterThan(5);
  for (const write of Object.values(WAYS)) {
    expect(all).not.toContain(write(SECRET));
    expect(all).not.toContain(JSON.stringify(write(SECRET)).slice(1, -1));
  }
  expect(all.toLowerCase()).not.toContain("1234ef/own");
  expect(all.toLowerCase()).not.toContain("the-session-of-this-caller");
  expect(all).not.toContain("fresh-token");
  expect(all).toMatch(/\$(?:(?:FIRST|URL)_KEY|PASSWORD)/);
});
