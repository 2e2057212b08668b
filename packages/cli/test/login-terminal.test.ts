// Signing in at a terminal: secrets are asked for and not shown.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { expect, onTestFinished, test } from "vitest";
import { toSettings } from "./support/program.ts";
import { runAtTerminal } from "./support/terminal.ts";

type Answers = Parameters<typeof runAtTerminal>[2];

/** Signs in to a service by what `toAnswers` makes of the pair that it knows. */
async function login(toAnswers: (secretID: string, secretKey: string) => Answers) {
  const service = createFakeService();
  const home = await mkdtemp(join(tmpdir(), "call-media-cli-"));
  onTestFinished(() => rm(home, { recursive: true }));
  await using served = await serveFake(service);
  const { secretID, secretKey } = service.credentials;
  const args = ["login", "--base-url", served.baseUrl];
  const ended = await runAtTerminal(args, toSettings(home), toAnswers(secretID, secretKey));
  return { ...ended, secretID, secretKey };
}

test("the secret is asked for, not shown, and kept", async () => {
  const { code, shown, secretID, secretKey } = await login((id, key) => [
    ["secretID", `${id}\r`],
    ["secretKey", `${key}\r`],
  ]);
  expect(shown).toContain("Kept as profile default");
  expect(shown).toContain(secretID);
  expect(shown).not.toContain(secretKey);
  expect(code).toBe(0);
});

test.each(["\r", "\n", "\r\n"])(
  "a pair that is pasted at once, with %j between, is taken, and the secret not shown",
  async (end) => {
    const { code, shown, secretKey } = await login((id, key) => [
      ["secretID", `${id}${end}${key}${end}`],
    ]);
    expect(shown).toContain("Kept as profile default");
    expect(shown).not.toContain(secretKey);
    expect(code).toBe(0);
  },
);

test("an application without a secret is not taken for an API key", async () => {
  const { code, shown } = await runAtTerminal(
    ["login", "--base-url", "http://127.0.0.1:1"],
    toSettings("/nonexistent"),
    [
      ["secretID", "app\r"],
      ["secretKey", "\r"],
    ],
  );
  expect(shown).toContain("call-media: secretKey is empty: nothing was kept");
  expect(code).toBe(2);
});

test("the question fits a terminal of 40 columns", async () => {
  const variables = { COLUMNS: "40", ...toSettings("/nonexistent") };
  const args = ["login", "--base-url", "http://127.0.0.1:1"];
  const { shown } = await runAtTerminal(args, variables, [["secretID", "\u0003"]]);
  const [question = ""] = /secretID.*: /.exec(shown) ?? [];
  expect(question.length).toBeGreaterThan(9);
  expect(question.length).toBeLessThan(40);
});

test("Ctrl-C at the question keeps nothing", async () => {
  const home = await mkdtemp(join(tmpdir(), "call-media-cli-"));
  const { code, shown } = await runAtTerminal(
    ["login", "--base-url", "http://127.0.0.1:1"],
    toSettings(home),
    [["secretID", "\u0003"]],
  );
  expect(shown).toContain("call-media: stopped: nothing was kept");
  expect(code).toBe(130);
  await rm(home, { recursive: true });
});
