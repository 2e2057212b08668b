// Who is let in: credentials that are wrong in each way, at a service that forgives one of them.
import { expect, test } from "vitest";
import {
  type Asked,
  check,
  type Checked,
  operation,
  type Reply,
  SIGN_IN,
  TOKEN,
} from "./styles.ts";

const OLD_TOKEN = "abCD-1234ef-old";
const NAMES = ["listA", "listB", "listC", "listD"];
const paths = Object.fromEntries(
  NAMES.map((name) => [`/${name}`, { get: operation(name, { 200: { type: "object" } }) }]),
);

/** Whether a service lets in, beside those who have the token. */
type Forgives = (asked: Asked, authorization: string) => boolean;

const letIn = async (forgives: Forgives, options: Checked = {}, refusal = SIGN_IN) => {
  const reply = (asked: Asked): Reply => {
    const authorization = asked.headers.get("authorization") ?? "";
    const isRight = authorization.replace(/^bearer /i, "Bearer ") === `Bearer ${TOKEN}`;
    return isRight || forgives(asked, authorization) ? { status: 200, body: {} } : refusal;
  };
  const without = ["http", "input", "same", "matrix", "default", "stable", "links"];
  const { findings, ...report } = await check(paths, reply, { without, ...options });
  return { ...report, findings, faults: findings.map(({ fault }) => fault) };
};

test("a service that lets nobody in by mistake has no finding, strict or not", async () => {
  const target = { expired: { headers: { Authorization: `Bearer ${OLD_TOKEN}` } } };
  const { findings, kept } = await letIn(() => false, { isStrict: true, target });
  expect(findings).toEqual([]);
  expect(kept.map(({ requirement }) => requirement)).toContain("auth.refused");
});

test("credentials that have expired are refused, and shown by their name alone", async () => {
  const target = { expired: { headers: { Authorization: `Bearer ${OLD_TOKEN}` } } };
  const { findings, faults } = await letIn((_, sent) => sent.endsWith("old"), { target });
  expect(faults).toContain("GET with expired credentials is answered 200");
  expect(JSON.stringify(findings)).not.toContain(OLD_TOKEN);
});

test.each<readonly [how: string, forgives: Forgives]>([
  ["unknown credentials", (_, sent) => sent.endsWith("nobody-knows-this-one")],
  ["another scheme", (_, sent) => sent === `Basic ${TOKEN}`],
  ["nothing after the scheme", (_, sent) => sent.trim() === "Bearer"],
])("a strict check tries %s at each operation", async (how, forgives) => {
  for (const name of NAMES) {
    const { faults } = await letIn(
      ({ steps: [at] }, sent) => at === name && forgives({} as Asked, sent),
      {
        isStrict: true,
      },
    );
    expect(faults).toEqual([`GET with ${how} is answered 200`]);
  }
});

test("a secret with a character more is refused", async () => {
  const { faults } = await letIn((_, sent) => sent.startsWith(`Bearer ${TOKEN}`));
  expect(faults).toContain("GET with a secret with a character more is answered 200");
});

test.each<readonly [fault: string, forgives: Forgives, refusal: Reply]>([
  [
    "GET with the token in the query is answered 200",
    ({ query }) => query.get("access_token") === TOKEN,
    SIGN_IN,
  ],
  [
    "GET with no credentials is answered 403, not 401",
    () => false,
    { status: 403, body: {}, headers: { "www-authenticate": "Bearer" } },
  ],
])("only a strict check says: %s", async (fault, forgives, refusal) => {
  expect((await letIn(forgives, {}, refusal)).findings).toEqual([]);
  expect((await letIn(forgives, { isStrict: true }, refusal)).faults).toContain(fault);
});
