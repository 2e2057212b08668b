// Users, their rights, and flags: what people and programs are shown of them.
import type { OperationId } from "@call-media/api";
import { createFakeService } from "@call-media/testing";
import { type ServedFake, serveFake } from "@call-media/testing/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "./support/program.ts";
import { runAtTerminal } from "./support/terminal.ts";

const service = createFakeService({
  users: [
    { id: 7, username: "mia", is_admin: true, first_name: "Mia\u001b[31m", city: "Zagreb" },
    { id: 8, username: "tom", allow_all_skills: false, allowed_skills: ["a", "b"] },
    { id: 9, username: "zoe", status: 0 },
  ],
  flags: [
    { Name: "To review" },
    { Name: "Complaint", DateCreated: "2026-03-01T09:00:00Z" },
    { Name: "Mine", user_id: 8 },
  ],
});

let served: ServedFake;
beforeAll(async () => {
  served = await serveFake(service);
});
afterAll(() => served.close());

const toVariables = ({ apiKey }: { readonly apiKey: string } = service.accessOf(7)) => ({
  CALL_MEDIA_BASE_URL: served.baseUrl,
  CALL_MEDIA_API_KEY: apiKey,
});
const callMedia = (...args: string[]) => run(args, toVariables());
const asTom = (...args: string[]) => run(args, toVariables(service.accessOf(8)));

/** An answer whose records have these fields as well. */
const toDrift = (operation: OperationId, fields: object) =>
  ({
    kind: "drift",
    operation,
    change: ({ data, ...answer }: Record<string, unknown>) => ({
      ...answer,
      data: (data as readonly object[]).map((one) => ({ ...one, ...fields })),
    }),
  }) as const;

test("whoami says whose secret is not accepted, and does not advise itself", async () => {
  const { code, stdout, stderr } = await run(["whoami"], toVariables({ apiKey: "wrong" }));
  expect(code).toBe(1);
  expect(stdout).toMatch(/^By {7}API key, from the environment$/m);
  expect(stderr).toMatch(
    /^call-media: The access token is unknown \(401 of \w+\): the API key is from the environment: call-media login saves others; request \S+\n$/,
  );
});

test("whoami names nothing of the user that the service leaves empty", async () => {
  const { stdout } = await asTom("whoami");
  expect(stdout).toMatch(/^User     tom$/m);
});

test("whoami names nothing of the user that the service gives as null", async () => {
  service.inject(toDrift("listUsers", { email_id: null, group: null }));
  expect((await asTom("whoami")).stdout).toMatch(/^User     tom$/m);
  service.inject(toDrift("listUsers", { username: null, email_id: "t@x.test" }));
  expect((await asTom("whoami")).stdout).toMatch(/^User     t@x\.test$/m);
  service.inject(toDrift("listUsers", { username: null }));
  expect((await asTom("whoami")).stdout).toMatch(
    /^User     let in; the service does not say who$/m,
  );
});

describe("users", () => {
  test("shows a table of those with the status", async () => {
    const { code, stdout } = await callMedia("users", "--status", "all");
    expect(code).toBe(0);
    const [headings, mia, tom, zoe] = stdout.split("\n");
    expect(headings).toMatch(/^id +username +email_id +first_name +last_name +group +status$/);
    expect(mia).toMatch(/^7 +mia +.*Mia\\u001b\[31m/);
    expect(tom).toMatch(/^8 +tom /);
    expect(zoe).toMatch(/^9 +zoe .* 0$/);
    expect((await callMedia("users")).stdout).not.toContain("zoe");
  });

  test("gives programs the unchanged records", async () => {
    const { stdout } = await asTom("users", "--json");
    expect(JSON.parse(stdout)).toMatchObject([{ id: 8, username: "tom", middle_name: null }]);
  });

  test("says that there is none, and gives programs an empty list", async () => {
    const none = ["users", "--status", "deleted"];
    expect(await callMedia(...none)).toEqual({
      code: 0,
      stdout: "",
      stderr: "No such user, or none that you may see.\n",
    });
    expect((await callMedia(...none, "--json")).stdout).toBe("[]\n");
  });

  test("rejects an unknown status, and lists the known ones", async () => {
    const { code, stderr } = await callMedia("users", "--status", "gone");
    expect(code).toBe(2);
    expect(stderr).toContain("active, inactive, deleted, all");
  });

  test("fits the terminal", async () => {
    const { shown } = await runAtTerminal(["users", "--status", "all"], toVariables(), []);
    for (const line of shown.split(/\r?\n/)) expect(line.length).toBeLessThanOrEqual(80);
  });
});

describe("user", () => {
  test("shows profile, address and rights", async () => {
    const { code, stdout } = await callMedia("user", "8");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^profile\nid +8\nusername +tom\n/);
    expect(stdout).toMatch(/\n\naddress\nid +8\n/);
    expect(stdout).toMatch(
      /\n\nrights\nid +8\n[^]*allow_all_skills +false\n[^]*allowed_skills +a, b\n/,
    );
  });

  test("shows other fields of a service, too, and nothing of them steers the terminal", async () => {
    const fields = { "bad\u001b[31m\nkey": "v", more: { a: 1 }, list: [1, { b: 2 }] };
    service.inject(toDrift("getUserAddresses", fields));
    const { stdout } = await callMedia("user", "8");
    expect(stdout).toMatch(/^bad\\u001b\[31m key +v\nmore +\{"a":1\}\nlist +1, \{"b":2\}\n/m);
  });

  test("gives programs the three records", async () => {
    expect(JSON.parse((await callMedia("user", "7", "--json")).stdout)).toMatchObject({
      profile: { first_name: "Mia\u001b[31m" },
      address: { city: "Zagreb" },
      rights: { is_admin: true },
    });
  });

  test("that may not be seen is as one that is not there", async () => {
    const gone = await callMedia("user", "1");
    expect(gone).toEqual({
      code: 1,
      stdout: "",
      stderr: "call-media: there is no user 1, or you may not see that user\n",
    });
    const hidden = await asTom("user", "7");
    expect(hidden).toEqual({ ...gone, stderr: gone.stderr.replace("1", "7") });
    expect((await asTom("user", "8")).code).toBe(0);
  });

  test.each(["mia", "-1", "1.5", "9007199254740993"])("number %s is refused", async (number) => {
    const { code, stderr } = await callMedia("user", "--", number);
    expect(code).toBe(2);
    expect(stderr).toContain("It must be a number, as call-media users shows it.");
  });
});

describe("flags", () => {
  test("shows those for all", async () => {
    const { code, stdout } = await callMedia("flags");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Id +Name +Type +DateCreated +DateModified\n\d+ +To review +Public /);
    expect(stdout).toMatch(/Complaint +Public +2026-03-01T09:00:00Z/);
    expect(stdout).not.toContain("Mine");
  });

  test("shows those of a user", async () => {
    const { stdout } = await callMedia("flags", "--user", "8", "--json");
    expect(JSON.parse(stdout)).toMatchObject([{ Name: "Mine", Type: "Private" }]);
    expect((await asTom("flags", "--user", "7")).stderr).toContain("No flag");
  });
});
