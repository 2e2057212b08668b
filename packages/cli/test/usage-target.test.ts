// A service or credentials that the program cannot make use of.
import { chmod } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { run } from "./support/program.ts";
import { BASE_URL, expectRefusal, folder, KEY, write } from "./support/refusals.ts";

const NO_CREDENTIALS =
  "no credentials: run call-media login, set CALL_MEDIA_SECRET_ID and CALL_MEDIA_SECRET_KEY, or CALL_MEDIA_API_KEY, or pass --profile";

/** A port that was free a moment ago. */
async function findClosedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("the service", () => {
  test.each([
    [
      "is missing",
      [],
      "no service address for these credentials: set CALL_MEDIA_BASE_URL or pass --base-url",
    ],
    [
      "is no address",
      ["archive"],
      "the base URL archive is not an address such as https://archive.example.com",
    ],
    [
      "is plain http elsewhere",
      ["http://archive.example.com"],
      "the base URL must be https: http is for a loopback host alone",
    ],
    [
      "has a password in it",
      ["https://mia:secret@archive.example.com"],
      "the base URL must not have a user or a password in it",
    ],
    [
      "has a query",
      ["https://archive.example.com?a=b"],
      "the base URL must not have a query or a fragment",
    ],
  ])("%s", async (_fault, url, message) => {
    await expectRefusal(["check", ...url.flatMap((text) => ["--base-url", text])], message, KEY);
  });

  test("cannot be reached", async () => {
    const closed = `http://127.0.0.1:${await findClosedPort()}`;
    for (const command of ["check", "probe"]) {
      const { code, stdout, stderr } = await run([command, "--base-url", closed], KEY);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^call-media: .+ECONNREFUSED.*\n$/);
    }
  });
});

describe("credentials", () => {
  test("are missing", () => expectRefusal(["probe", ...BASE_URL], NO_CREDENTIALS));

  test("are half there", () =>
    expectRefusal(
      ["check", ...BASE_URL],
      "CALL_MEDIA_SECRET_ID and CALL_MEDIA_SECRET_KEY go together: one of them is not set",
      { CALL_MEDIA_SECRET_ID: "an-id" },
    ));

  test("are no arguments", async () => {
    const { code, stderr } = await run(["check", ...BASE_URL, "--secret-key", "x"]);
    expect(code).toBe(2);
    expect(stderr).toContain("unknown option '--secret-key'");
  });
});

describe("a profile", () => {
  const check = (file: string) => ["check", "--profile", file];

  test("that others may read, with a secret in it", async () => {
    const file = await write("open.json", { apiKey: "x", baseUrl: "http://127.0.0.1:1" });
    await chmod(file, 0o640);
    await expectRefusal(
      check(file),
      `${file} holds secrets and others may read it: chmod 600 ${file}`,
    );
  });

  test("that others may read, without a secret, is taken", async () => {
    const file = await write("address.yaml", "baseUrl: http://127.0.0.1:1");
    await chmod(file, 0o644);
    await expectRefusal(check(file), NO_CREDENTIALS);
  });

  test.each([
    ["is not there", undefined, " does not exist"],
    ["is neither JSON nor YAML", '{ "apiKey": "top-secret', ":1:24 is neither JSON nor YAML"],
    [
      "has an alias of nothing",
      "apiKey: *top-secret",
      " has an alias, *name, that stands for nothing or for too much",
    ],
    ["is a list", [], " must be an object"],
    [
      "has a misspelt field",
      { api_key: "top-secret" },
      " has an unknown field api_key: it may have baseUrl, credentials, restricted, apiKey, expiredToken, examples, service",
    ],
    ["has an empty key", { apiKey: "" }, ": apiKey must be a text that is not empty"],
    [
      "has half of the credentials",
      { credentials: { secretID: "top-secret" } },
      ": credentials needs both secretID and secretKey",
    ],
  ])("%s", async (fault, content, message) => {
    const name = `${fault.replaceAll(" ", "-")}.json`;
    const file = content === undefined ? join(folder, name) : await write(name, content);
    expect(message).not.toContain("top-secret");
    await expectRefusal(check(file), `${file}${message}`);
  });
});
