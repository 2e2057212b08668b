// Who exported: in the report as far as the service says, and in words for people.
import { expect, test } from "vitest";
import { readVersion } from "../src/version.ts";
import { type FakeOptions, MARCH, readReport, startExporting } from "./support/exporting.ts";

const CALLS = [{ call_id: "1", datetime: "2026-03-01T06:14:00Z", agent: "admin" }];
const OTHERS = [
  { id: 1, username: "admin", is_admin: true },
  { id: 2, username: "ana.kovac" },
];

const toSilent = (_url: string, answer: Response): Response => {
  answer.headers.delete("Caller");
  return answer;
};
const toSaying = (_url: string, answer: Response) => answer;

test.each<[string, FakeOptions, readonly string[], typeof toSaying, string | null]>([
  ["whom the service names among several", { users: OTHERS }, [], toSaying, "admin"],
  ["whom a silent service lists alone", {}, [], toSilent, "admin"],
  ["nobody where a silent service lists several", { users: OTHERS }, [], toSilent, null],
  ["nobody where fields are masked", {}, ["--redact", "agent"], toSaying, null],
])("the report names %s", async (_, options, args, change, user) => {
  const { out, exportCalls, service } = await startExporting({ calls: CALLS, ...options }, change);
  const { stdout } = await exportCalls(...MARCH, ...args);
  const report = await readReport(out);
  expect(report.exportedBy).toEqual({
    by: "API key",
    user,
    program: `call-media ${readVersion()}`,
  });
  const [began, finished] = [report.beganAt, report.finishedAt].map((at) => Date.parse(at));
  expect(Number(began)).toBeLessThanOrEqual(Number(finished));
  expect(JSON.stringify(report)).not.toContain(service.apiKey);
  expect(stdout).toContain(
    user === null ? "by       an API key (user not named)" : "by       an API key of admin",
  );
});

test("an application signs in once for all of an export", async () => {
  const { exportCalls, service, variables } = await startExporting({ calls: CALLS });
  const { secretID, secretKey } = service.credentials;
  Object.assign(variables, {
    CALL_MEDIA_SECRET_ID: secretID,
    CALL_MEDIA_SECRET_KEY: secretKey,
    CALL_MEDIA_API_KEY: "",
  });
  expect(await exportCalls(...MARCH)).toMatchObject({ code: 0 });
  const signIns = service.requests.filter(({ operationId }) => operationId === "createToken");
  expect(signIns).toHaveLength(1);
});

test("the report names the user of the last run that changed something", async () => {
  const { out, exportCalls, runCommand, service, variables } = await startExporting({
    calls: CALLS,
  });
  const { stdout } = await exportCalls(...MARCH);
  const { secretID, secretKey } = service.credentials;
  Object.assign(variables, {
    CALL_MEDIA_SECRET_ID: secretID,
    CALL_MEDIA_SECRET_KEY: secretKey,
    CALL_MEDIA_API_KEY: "",
  });
  expect(await exportCalls("--resume")).toMatchObject({ code: 0, stdout });
  expect((await readReport(out)).exportedBy.by).toBe("API key");
  expect(await runCommand("sync", out, "--to", "2026-03-31")).toMatchObject({ code: 0 });
  expect((await readReport(out)).exportedBy.by).toBe("application");
});

test.each([[null], [{ id: 1 }], ["ana"]])(
  "of a service that lists %j for a user nobody is named",
  async (user) => {
    const { out, exportCalls } = await startExporting({ calls: CALLS }, (url, answer) =>
      url.includes("/users/")
        ? Response.json({ isError: false, errorMessage: null, data: [user] })
        : answer,
    );
    expect(await exportCalls(...MARCH)).toMatchObject({ code: 0 });
    expect((await readReport(out)).exportedBy.user).toBeNull();
  },
);

test.each([403, 404, 500])(
  "a service that answers the question with %i is exported",
  async (status) => {
    const { out, exportCalls, service } = await startExporting({ calls: CALLS });
    service.inject({ kind: "status", status, operation: "listUsers", times: Infinity });
    expect(await exportCalls(...MARCH)).toMatchObject({ code: 0 });
    expect((await readReport(out)).exportedBy.user).toBeNull();
  },
);

test("the report says what the export is for, unless that repeats a masked value", async () => {
  const purpose = "Legal, case 2026-118";
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS });
  const { stdout } = await exportCalls(...MARCH, "--for", ` ${purpose} `);
  expect(stdout).toContain(`for      ${purpose}`);
  expect(await readReport(out)).toMatchObject({ purpose });
  expect((await runCommand("verify", out)).stdout).toContain(`for      ${purpose}`);
  const other = await startExporting({ calls: CALLS });
  await other.exportCalls(...MARCH, "--redact", "agent", "--for", "What the Admin said");
  expect(await readReport(other.out)).toMatchObject({ purpose: "[redacted]" });
});

test.each(["two\nlines", "x".repeat(201)])("no purpose: %j", async (purpose) => {
  const { exportCalls } = await startExporting({ calls: CALLS });
  const { code, stderr } = await exportCalls(...MARCH, "--for", purpose);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("one line of at most 200 characters"),
  ]);
});
