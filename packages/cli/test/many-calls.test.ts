// `recording --ids` and `transcript --ids`: many calls into a folder, each of them once.
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { countDownloads, type FakeCall, startExporting, toBytes } from "./support/exporting.ts";
import { run } from "./support/program.ts";

const at = { datetime: "2026-03-01T06:14:00Z", talk_time: 60 };
const toRecordings = (...names: string[]) =>
  names.map((filename, index) => ({ filename, bytes: toBytes(900, filename.length + index) }));

const CALLS: readonly FakeCall[] = [
  { call_id: "1", ...at, recordings: toRecordings("a.wav", "bb.ogg"), transcript: "One." },
  { call_id: "2", ...at, recordings: toRecordings("x; yyyy.wav"), transcript: "Two." },
  { call_id: "a/b", ...at, recordings: toRecordings("ccc.wav"), transcript: "Slash." },
  { call_id: "a:b", ...at, recordings: toRecordings("dddd.wav"), transcript: "Colon." },
  { call_id: "silent", ...at },
];

const IDS = "call_id\r\n1\r\n\r\n1\r\na/b\r\na:b\r\n";

type Exporting = Parameters<typeof startExporting>;

interface Given {
  readonly calls?: readonly FakeCall[];
  readonly change?: Exporting[1];
  readonly toAsked?: Exporting[2];
}

async function start({ calls = CALLS, change, toAsked }: Given = {}) {
  const { service, variables, out } = await startExporting({ calls }, change, toAsked);
  const save = (command: string, input: string, ...args: string[]) =>
    run([command, "--ids", "-", "--out", out, ...args], variables, { input });
  const list = async () => (await readdir(out)).toSorted();
  return { service, variables, out, save, list };
}

describe("recording --ids", () => {
  test("saves all recordings, and none again", async () => {
    const { service, out, save, list } = await start();
    const first = await save("recording", IDS);
    expect(first.code, first.stderr).toBe(0);
    const files = ["1-2.ogg", "1.wav", "a_b.wav", "a_b~2.wav"];
    expect(await list()).toEqual(files);
    expect(first.stdout.trimEnd().split("\n").toSorted()).toEqual(
      files.map((file) => join(out, file)),
    );
    expect(first.stderr).toContain(`4 files saved in ${out}, 0 were there`);
    expect(await readFile(join(out, "a_b~2.wav"))).toEqual(Buffer.from(toBytes(900, 8)));
    expect((await stat(join(out, "1.wav"))).mode & 0o777).toBe(0o600);
    const downloads = countDownloads(service);
    const again = await save("recording", IDS);
    expect({ code: again.code, stdout: again.stdout }).toEqual({ code: 0, stdout: "" });
    expect(again.stderr).toContain(`0 files saved in ${out}, 4 were there`);
    expect(countDownloads(service)).toBe(downloads);
  });

  test("a name with the separator of names in it is one recording, in every run", async () => {
    const { save, list } = await start();
    for (const _ of [1, 2]) expect((await save("recording", "2")).code).toBe(0);
    expect(await list()).toEqual(["2.wav"]);
  });

  test("names the calls that failed, and saves the others", async () => {
    const { save, list } = await start();
    const { code, stderr } = await save("recording", "none\nsilent\n1\n");
    expect(code).toBe(1);
    expect(stderr).toContain("none: there is no such call, or it may not be seen\n");
    expect(stderr).toContain("silent: recording 1 does not exist, or may not be heard\n");
    expect(stderr).toContain("2 calls of 3 failed: the same command tries them again");
    expect(await list()).toEqual(["1-2.ogg", "1.wav"]);
  });

  test("--part saves that one, --json prints a line for each", async () => {
    const { out, save } = await start();
    const { code, stdout } = await save("recording", "1\n", "--part", "2", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      call_id: "1",
      part: 2,
      file: join(out, "1-2.ogg"),
      bytes: 900,
      verified: "digest",
    });
  });

  const ignorePart = (url: string) => url.replace(/[?&]part=\d+/, "");
  const dropName = (_url: string, answer: Response) => {
    answer.headers.delete("Content-Disposition");
    return answer;
  };

  test.each([
    ["with names", undefined],
    ["without names", dropName],
  ])("a service that ignores --part gives no recording twice, %s", async (_, change) => {
    const calls = [{ call_id: "1", ...at, recordings: toRecordings("a.wav", "bb.wav") }];
    const { save, list } = await start({ calls, change, toAsked: ignorePart });
    for (const time of [1, 2]) {
      const { code, stderr } = await save("recording", "1");
      expect(code).toBe(1);
      expect(stderr).toContain(time === 1 ? "1 file saved" : "0 files saved");
      expect(stderr).toContain("1: instead of recording 2 the service gives an earlier one again");
      expect(await list()).toEqual(["1.wav"]);
    }
  });

  test("nor does it with the separator of names in a name", async () => {
    const { save, list } = await start({ toAsked: ignorePart });
    for (const _ of [1, 2]) expect((await save("recording", "2")).code).toBe(0);
    expect(await list()).toEqual(["2.wav"]);
  });

  test("recordings of other names may have the same bytes, in every run", async () => {
    const recordings = ["a.wav", "b.wav"].map((filename) => ({ filename, bytes: toBytes(900) }));
    const { out, save, list } = await start({ calls: [{ call_id: "1", ...at, recordings }] });
    await save("recording", "1");
    await rm(join(out, "1-2.wav"));
    expect((await save("recording", "1")).code).toBe(0);
    expect(await list()).toEqual(["1-2.wav", "1.wav"]);
  });

  test("a repeated recording never has the name of a finished one", async () => {
    const calls = [{ call_id: "1", ...at, recordings: toRecordings("a.wav", "bb.wav") }];
    const { out, save, list } = await start({
      calls,
      toAsked: ignorePart,
      change: async (url, answer) => {
        if (url.includes("part=2")) await writeFile(join(out, "1-2.wav"), "untouched");
        return answer;
      },
    });
    expect((await save("recording", "1")).code).toBe(1);
    expect(await list()).toEqual(["1-2.wav", "1.wav"]);
    expect(await readFile(join(out, "1-2.wav"), "utf8")).toBe("untouched");
  });

  test("the error that ends a run is printed after its results and failures", async () => {
    const { save } = await start({
      change: (url, answer) =>
        url.includes("by-call-id/2") ? new Response("", { status: 401 }) : answer,
    });
    const { code, stderr } = await save("recording", "none\n1\n2\na/b\n");
    expect(code).toBe(1);
    expect(stderr).toMatch(/2 files saved.*\nnone: there is no such call.*\n1 call of 4 failed/);
    expect(stderr).toMatch(/401 of getMetadataByCallId.*\n$/);
  });

  test("a key that is not valid any more ends it at once", async () => {
    const { out, variables } = await start();
    const { code, stderr } = await run(
      ["recording", "--ids", "-", "--out", out],
      { ...variables, CALL_MEDIA_API_KEY: "other" },
      { input: IDS },
    );
    expect(code).toBe(1);
    expect(stderr).not.toContain("calls of");
    expect(stderr).toContain("401 of getMetadataByCallId");
  });
});

describe("transcript --ids", () => {
  test("writes a file for each call, next to its recordings", async () => {
    const { service, out, save, list } = await start();
    await save("recording", "1");
    const { code, stderr } = await save("transcript", `${IDS}silent\n`);
    expect(code).toBe(1);
    expect(stderr).toContain("silent: call silent has neither a transcript nor a chat");
    expect(await list()).toEqual(["1-2.ogg", "1.txt", "1.wav", "a_b.txt", "a_b~2.txt"]);
    expect(await readFile(join(out, "a_b~2.txt"), "utf8")).toBe("Colon.\n");
    const before = service.requests.length;
    expect(await save("transcript", IDS)).toMatchObject({ code: 0, stdout: "" });
    expect(service.requests.length).toBe(before);
    expect((await save("recording", "2")).code).toBe(0);
    expect(await list()).toContain("2.wav");
  });

  test.each([
    ["vtt", "1.vtt", /^WEBVTT/],
    ["json", "1.json", /"spoken"/],
    ["vcon", "1.vcon.json", /"vcon"/],
  ])("in the format %s", async (format, file, content) => {
    const { out, save, list } = await start();
    expect((await save("transcript", "1", "--format", format)).code).toBe(0);
    expect(await list()).toEqual([file]);
    expect(await readFile(join(out, file), "utf8")).toMatch(content);
  });

  test("a vCon is written only with all its recordings", async () => {
    const { service, save, list } = await start();
    const deny = (operation: "streamRecordingByCallId" | "getRecordingByCallId") =>
      service.inject({ kind: "status", status: 404, operation, times: 99 });
    const allow = [deny("streamRecordingByCallId"), deny("getRecordingByCallId")];
    const { code, stderr } = await save("transcript", "1\nsilent\n", "--format", "vcon");
    expect(code).toBe(1);
    expect(stderr).toContain(
      "1: 2 of the recordings of call 1 cannot be fetched (CM_RECORDING_UNKNOWN: A fault of 404): without --ids",
    );
    expect(stderr).toContain("1 call of 2 failed");
    expect(await list()).toEqual(["silent.vcon.json"]);
    for (const end of allow) end();
    expect((await save("transcript", "1", "--format", "vcon")).code).toBe(0);
    expect(await list()).toEqual(["1.vcon.json", "silent.vcon.json"]);
  });
});

describe("a mistake is named:", () => {
  test.each([
    [["recording", "1", "--ids", "ids.csv", "--out", "x"], "give a call_id or --ids, not both"],
    [["transcript", "1", "--ids", "ids.csv", "--out", "x"], "give a call_id or --ids, not both"],
    [["transcript"], "give the call_id of a call, or --ids with a list of them"],
    [["recording", "--ids", "ids.csv"], "--ids needs --out with the folder to write into"],
    [["recording", "--ids", "ids.csv", "--out", "-"], "--ids needs --out with the folder"],
    [["recording", "--ids", "empty.csv", "--out", "x"], "empty.csv has no identifiers"],
    [
      ["transcript", "--ids", "ids.csv", "--format", "vcon", "--media", "beside", "--out", "x"],
      "--media beside goes with one call",
    ],
  ])("%j", async (args, message) => {
    const { out, variables } = await start();
    await mkdir(out);
    await writeFile(join(out, "ids.csv"), "1\n");
    await writeFile(join(out, "empty.csv"), "call_id\n");
    const { code, stdout, stderr } = await run(args, variables, { cwd: out });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});
