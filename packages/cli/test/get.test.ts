// One call: what is shown of it, and its recording as a file.
import { createHash } from "node:crypto";
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeService } from "@call-media/testing";
import { type ServedFake, serveFake } from "@call-media/testing/http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { run } from "./support/program.ts";
import { runAtTerminal } from "./support/terminal.ts";

const BYTES = new Uint8Array(50_000).map((_, index) => index % 251);
const service = createFakeService({
  calls: [
    {
      call_id: "300000004821507",
      ref_id: "ref-7",
      datetime: "2026-03-02T06:14:00+01:00",
      agent: "ana.kovac",
      notes: "first\nsecond \u001b[31m",
      recordings: [
        { filename: "../../first.wav", bytes: BYTES },
        { filename: "second.wav", bytes: BYTES.slice(0, 9) },
      ],
    },
    { call_id: "300000004821508" },
  ],
  chats: [
    { call_id: "300000004821507", transcript: "Hello", datetime: "2026-03-02T06:15:00+01:00" },
  ],
});

let served: ServedFake;
let folder: string;
beforeEach(async () => {
  served = await serveFake(service);
  folder = await mkdtemp(join(tmpdir(), "call-media-cli-"));
});
afterEach(async () => {
  await served.close();
  await rm(folder, { recursive: true });
});

const toVariables = () => ({
  CALL_MEDIA_BASE_URL: served.baseUrl,
  CALL_MEDIA_API_KEY: service.apiKey,
});
const callMedia = (...args: string[]) => run(args, toVariables(), { cwd: folder });

describe("get", () => {
  test("shows what a record has, and the chat", async () => {
    const { code, stdout } = await callMedia("get", "300000004821507", "--tz", "UTC");
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        "datetime    2026-03-02T05:14:00+00:00",
        "agent       ana.kovac",
        "call_id     300000004821507",
        "ref_id      ref-7",
        "recordings  ../../first.wav; second.wav",
        "notes       first",
        "            second \\u001b[31m",
        "",
        "chat",
        "2026-03-02T05:15:00+00:00  Agent: Hello",
        "",
      ].join("\n"),
    );
  });

  test("gives programs the unchanged records", async () => {
    const { stdout } = await callMedia("get", "300000004821507", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      call_id: "300000004821507",
      records: [{ datetime: "2026-03-02T06:14:00+01:00", dnis: null }],
      messages: [{ transcript: "Hello" }],
    });
  });

  test("by a reference shows every call of it", async () => {
    const shown = await callMedia("get", "--ref-id", "ref-7");
    expect(shown.stdout).toMatch(
      /^datetime .*\nagent .*\ncall_id +300000004821507\nref_id +ref-7\n/,
    );
    const told = JSON.parse((await callMedia("get", "--ref-id", "ref-7", "--json")).stdout);
    expect(told).toMatchObject({ ref_id: "ref-7", records: [{ call_id: "300000004821507" }] });
    expect(await callMedia("get", "--ref-id", "8")).toMatchObject({
      code: 1,
      stderr: "call-media: there is no reference 8, or it may not be seen\n",
    });
  });

  test.each([[["get"]], [["get", "1", "--ref-id", "2"]]])("%j is refused", async (args) => {
    const { code, stderr } = await callMedia(...args);
    expect(code).toBe(2);
    expect(stderr).toContain("one of the two is needed: a call_id, or --ref-id with a reference");
  });

  test("fails for an unknown call", async () => {
    expect(await callMedia("get", "1")).toEqual({
      code: 1,
      stdout: "",
      stderr: "call-media: there is no call 1, or it may not be seen\n",
    });
  });
});

describe("recording", () => {
  test("is saved whole, here, whatever its name is", async () => {
    const { code, stdout, stderr } = await callMedia("recording", "300000004821507");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "first.wav\n" });
    expect(stderr).toContain(createHash("sha256").update(BYTES).digest("hex"));
    expect(new Uint8Array(await readFile(join(folder, "first.wav")))).toEqual(BYTES);
  });

  test("is saved by a reference, too", async () => {
    const { code, stdout } = await callMedia("recording", "--ref-id", "ref-7", "--part", "2");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "second.wav\n" });
    expect(new Uint8Array(await readFile(join(folder, "second.wav")))).toEqual(BYTES.slice(0, 9));
  });

  test("does not replace a file, and leaves nothing behind", async () => {
    await writeFile(join(folder, "first.wav"), "mine");
    const { code, stderr } = await callMedia("recording", "300000004821507");
    expect(code).toBe(2);
    expect(stderr).toContain("first.wav is there already: --out names another file");
    expect(await readdir(folder)).toEqual(["first.wav"]);
    expect(await readFile(join(folder, "first.wav"), "utf8")).toBe("mine");
  });

  test("is the one that is asked for, under the name that is asked for", async () => {
    const args = ["recording", "300000004821507", "--part", "2", "--out", "x.wav"];
    expect(await callMedia(...args)).toMatchObject({ code: 0, stdout: "x.wav\n" });
    expect(new Uint8Array(await readFile(join(folder, "x.wav")))).toEqual(BYTES.slice(0, 9));
  });

  test.each([
    ["10000", 1, /has no recording --part 10000/],
    ["10001", 2, /10,?000/],
  ])("has a number that the contract takes: %s ends it with %i", async (part, code, said) => {
    const ended = await callMedia("recording", "--ref-id", "ref-7", "--part", part);
    expect(ended).toMatchObject({ code, stderr: expect.stringMatching(said) });
  });

  test("never takes the place of anything but a file", async () => {
    await symlink("/dev/null", join(folder, "stdout"));
    await mkdir(join(folder, "calls"));
    const before = service.requests.length;
    for (const [name, fault] of [
      ["stdout", "not a regular file"],
      ["calls", "a folder"],
      ["gone/", "gone/ is a folder: name a file"],
    ] as const) {
      const { code, stderr } = await callMedia("recording", "300000004821507", "--out", name);
      expect(code).toBe(2);
      expect(stderr).toContain(fault);
    }
    // That is found out before anything is asked for.
    expect(service.requests.length).toBe(before);
    expect((await lstat(join(folder, "stdout"))).isSymbolicLink()).toBe(true);
  });

  test("is readable only by its owner, whatever file it replaces", async () => {
    await writeFile(join(folder, "call.wav"), "before", { mode: 0o644 });
    await callMedia("recording", "300000004821507", "--out", "call.wav");
    await callMedia("recording", "300000004821507");
    for (const name of ["call.wav", "first.wav"])
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  });

  test("is described as JSON for programs", async () => {
    const { stdout, stderr } = await callMedia("recording", "300000004821507", "--json");
    const sha256 = createHash("sha256").update(BYTES).digest("hex");
    const told = { file: "first.wav", bytes: BYTES.length, sha256, verified: "digest" };
    expect(JSON.parse(stdout)).toEqual({ ...told, contentType: "application/octet-stream" });
    expect(stderr).toBe("");
  });

  test("shows on a terminal how far it is", async () => {
    const args = ["recording", "300000004821507", "--out", join(folder, "call.wav")];
    const { code, shown } = await runAtTerminal(args, toVariables());
    expect(code).toBe(0);
    expect(shown).toMatch(/\[=+ *\] \d+%, [\d.]+ kB of 50\.0 kB, [\d.]+ [kM]?B\/s, \d:\d\d left/);
    // Nothing of it stays.
    expect(shown.slice(shown.lastIndexOf("left"))).toContain("\u001b[2K");
    expect(shown).toMatch(/50,000 bytes, SHA-256 [\da-f]{64}/);
  });

  test("with another digest than announced is not kept", async () => {
    const takeBack = service.inject({ kind: "wrong-digest", times: Infinity });
    const { code, stderr } = await callMedia("recording", "300000004821507");
    takeBack();
    expect(code).toBe(1);
    expect(stderr).toContain("The bytes are not those of Repr-Digest");
    expect(await readdir(folder)).toEqual([]);
  });

  test("that is not there", async () => {
    const { code, stderr } = await callMedia("recording", "300000004821508");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "call-media: call 300000004821508 has no recording, or it may not be heard\n",
    });
  });
});
