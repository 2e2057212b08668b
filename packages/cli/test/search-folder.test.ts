// A search in an exported folder: the same answers as from the service that it came from, without asking it.
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  open,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveGrowing } from "./support/growing.ts";
import { makeFolder, writeExport } from "./support/made-export.ts";
import { run } from "./support/program.ts";
import { verify } from "./support/verifying.ts";

const at = (day: number) => ({ datetime: `2026-03-0${day}T10:30:00Z` });

const CALLS = [
  {
    call_id: "said",
    ...at(1),
    agent: "ana",
    transcript: "So the réfund is coming.",
    talk_time: 90,
  },
  { call_id: "noted", ...at(1), agent: "mia", notes: "a refund, and Leila Benali called" },
  { call_id: "written", ...at(2), agent: "Mia ", skill: "Straße" },
  { call_id: "named", ...at(3), customer_first_name: "Leïla", customer_last_name: "Benali" },
  { call_id: "counted", ...at(4), agent: "o.(b", phone_number1: "(614) 555-0121", talk_time: 700 },
  { call_id: "custom", ...at(4), agent: "mia", custom_field_1: "Gold" },
];
const CHATS = [
  { call_id: "written", transcript: "Where is my REFUND?" },
  { call_id: "written", transcript: "In March." },
];
const service = createFakeService({ calls: CALLS, chats: CHATS });
const MARCH = ["--from", "2026-03-01", "--to", "2026-03-31"];

let home: string;
let folder: string;
let variables: NodeJS.ProcessEnv;
let close: () => Promise<void>;
beforeAll(async () => {
  const served = await serveFake(service);
  close = () => served.close();
  variables = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: service.apiKey };
  home = await mkdtemp(join(tmpdir(), "call-media-folder-"));
  folder = join(home, "march");
  await run(["export", ...MARCH, "--out", folder], variables);
});
afterAll(async () => {
  await close();
  await rm(home, { recursive: true });
});

/** In `test`, one search stands for all in the forms that count. */
const hasAllForms = (args: readonly string[]) =>
  process.env["CALL_MEDIA_TIER"] !== "test" || args.join(" ") === "--words refund --agent mia";

describe("finds what the service finds, offline", () => {
  test.each([
    [],
    ["--words", "refund"],
    ["--words", '"refund is" com*'],
    ["--words", "leila benali"],
    ["--words", "march refund"],
    ["--words", "0121"],
    ["--who", "LEILA benali"],
    ["--phone", "+1 614 555 0121"],
    ["--words", "refund", "--agent", "mia"],
    ["--agent", "MIA"],
    ["--agent", "o.(b"],
    ["--skill", "STRASSE"],
    ["--skill", "STRAẞE"],
    ["--phone-number1", "614.555.0121"],
    ["--talk-time", "90"],
    ["--custom-field-1", "gold"],
    ["--where", 'transcript ~ "my refund"'],
    ["--where", "talk_time > 100 && agent != null"],
    ["--limit", "2", "--words", "refund"],
    ["--from", "2026-03-01", "--to", "2026-03-01"],
    ["--on", "2026-03-04"],
  ])("%j", async (...args: string[]) => {
    const hasDays = args.includes("--from") || args.includes("--on");
    const asked = hasDays ? args : [...MARCH, ...args];
    const counting = [["--count"], ["--group-by", "agent"], ["--group-by", "day"]];
    for (const shown of [["--json"], ...(hasAllForms(args) ? counting : [])]) {
      if (shown[0] !== "--json" && args.includes("--limit")) continue;
      const online = await run(["search", ...asked, ...shown], variables);
      const offline = await run(["search", "--in", folder, ...args, ...shown]);
      expect({ ...offline, stderr: "" }).toEqual({ ...online, stderr: "" });
      expect(offline.code).toBe(0);
    }
  });

  test("in a table, with the words in their place", async () => {
    const args = ["--words", "refund", "--agent", "mia"];
    const { stdout } = await run(["search", "--in", folder, ...args]);
    expect(stdout).toContain("    in the chat\n");
    expect(stdout).toContain("    notes: a refund, and Leila Benali called\n");
  });

  test("--ids, and those that are not there fail", async () => {
    const input = "noted\nnobody\nsaid\n";
    const { code, stdout, stderr } = await run(
      ["search", "--in", folder, "--ids", "-", "--columns", "call_id", "--format", "jsonl"],
      {},
      { input },
    );
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: '{"call_id":"noted"}\n{"call_id":"said"}\n',
    });
    expect(stderr).toContain("there is no call nobody");
  });

  test("--tz moves the days as it moves the datetimes that are shown", async () => {
    const search = ["search", "--in", folder, "--count", "--on", "2026-03-01"];
    expect((await run(search)).stdout).toBe("2\n");
    expect((await run([...search, "--tz", "Pacific/Kiritimati"])).stdout).toBe("0\n");
  });

  test("nothing found says what to do", async () => {
    const { stderr } = await run(["search", "--in", folder, "--words", "refunds"]);
    expect(stderr).toContain("No call was found. Every one of the words must occur");
  });
});

describe("the index", () => {
  test("is private, is not part of the export, and reports what it has", async () => {
    await run(["index", folder]);
    await chmod(join(folder, "words.db"), 0o644);
    const { code, stdout, stderr } = await run(["index", folder]);
    expect(code).toBe(0);
    expect(stdout).toContain("6 records and 2 transcripts and chats");
    expect(stderr).toContain("personal data");
    expect((await stat(join(folder, "words.db"))).mode & 0o777).toBe(0o600);
    expect(await verify(folder)).toMatchObject({ differences: [], ignored: ["words.db"] });
    expect((await run(["verify", folder])).stdout).toContain(
      "ignored  words.db is not part of the export: call-media index makes it, and builds it again",
    );
  });

  test("reads what a sync has added, and no more", async () => {
    const calls = [{ call_id: "first", ...at(1), notes: "refund" }];
    await using growing = await serveGrowing(calls);
    const out = join(await makeFolder(), "out");
    await run(["export", ...MARCH, "--out", out], growing.variables);
    const readCounts = async () => JSON.parse((await run(["index", out, "--json"])).stdout);
    expect(await readCounts()).toMatchObject({ records: 1, added: 1, rebuilt: false });
    growing.add({ call_id: "second", ...at(2), notes: "refund" });
    await run(["sync", out, "--to", "2026-03-31"], growing.variables);
    expect(await readCounts()).toMatchObject({ records: 2, added: 1, rebuilt: false });
    expect(await readCounts()).toMatchObject({ records: 2, added: 0, rebuilt: false });
    const count = ["search", "--in", out, "--count", "--words"];
    expect((await run([...count, "refund"])).stdout).toBe("2\n");
    // An edited record takes the place of its earlier version.
    growing.replace([
      { call_id: "first", ...at(1), notes: "bill" },
      { call_id: "second", ...at(2), notes: "refund" },
    ]);
    await run(["sync", out, "--to", "2026-03-31", "--overlap", "31"], growing.variables);
    expect(await readCounts()).toMatchObject({ records: 2, added: 1, rebuilt: false });
    expect((await run([...count, "refund"])).stdout).toBe("1\n");
    expect((await run([...count, "bill"])).stdout).toBe("1\n");
  });

  test("has no word of a call that is gone, in any byte", async () => {
    const made = await makeFolder();
    const kept = { call_id: "1", notes: "refund" };
    await writeExport(made, { calls: [kept, { call_id: "2", notes: "zanzibar" }] });
    await run(["index", made]);
    expect(await readFile(join(made, "words.db"), "latin1")).toContain("zanzibar");
    await writeExport(made, { calls: [kept] });
    const { stdout } = await run(["index", made, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ records: 1, rebuilt: true });
    expect(await readFile(join(made, "words.db"), "latin1")).not.toContain("zanzibar");
  });

  test("of an unpacked hand-over is in its export", async () => {
    const made = await makeFolder();
    await mkdir(join(made, "export"));
    await writeExport(join(made, "export"), { calls: [{ call_id: "1", notes: "refund" }] });
    await writeFile(join(made, "SHA256SUMS"), "");
    expect((await run(["search", "--in", made, "--words", "refund", "--count"])).stdout).toBe(
      "1\n",
    );
    expect((await stat(join(made, "export", "words.db"))).isFile()).toBe(true);
  });

  test("that came with a folder hides nothing: it is built again", async () => {
    const [made, copy] = [await makeFolder(), join(await makeFolder(), "copy")];
    await writeExport(made, { calls: [{ call_id: "1", notes: "refund" }] });
    await run(["index", made]);
    change(made, "INSERT INTO words (words) VALUES ('delete-all')");
    const search = (path: string) => run(["search", "--in", path, "--words", "refund", "--count"]);
    expect((await search(made)).stdout).toBe("0\n");
    await cp(made, copy, { recursive: true, preserveTimestamps: true });
    expect((await search(copy)).stdout).toBe("1\n");
    // Moved, it is still the one that was made here.
    await rename(copy, `${copy}-moved`);
    expect((await search(`${copy}-moved`)).stderr).not.toContain("indexed in");
    await rm(`${copy}-moved`, { recursive: true });
  });

  test("leads to no file outside of the folder", async () => {
    const made = await makeFolder();
    const folders = { inner: join(made, "inner") };
    await mkdir(folders.inner);
    const chats = [{ call_id: "1", messages: ["hello"] }];
    await writeExport(folders.inner, { calls: [{ call_id: "1", transcript: "" }], chats });
    await run(["index", folders.inner]);
    await writeFile(join(made, "x.json"), JSON.stringify({ messages: [{ transcript: "secret" }] }));
    const search = ["search", "--in", folders.inner, "--count", "--where"];
    expect((await run([...search, 'transcript ~ "hello"'])).stdout).toBe("1\n");
    change(folders.inner, "UPDATE document SET file = '../x.json' WHERE file IS NOT NULL");
    expect((await run([...search, 'transcript ~ "secret"'])).stdout).toBe("0\n");
  });

  test("is not written through a link", async () => {
    const [made, target] = [await makeFolder(), join(await makeFolder(), "target")];
    await writeExport(made, { calls: [{ call_id: "1" }] });
    await symlink(target, join(made, "words.db"));
    const { code, stderr } = await run(["index", made]);
    expect(code, stderr).toBe(2);
    expect(stderr).toContain("words.db is damaged, or no index of call-media: delete it");
    await expect(stat(target)).rejects.toThrow("ENOENT");
    expect((await verify(made)).differences).toContainEqual({
      file: "words.db",
      what: "is not in the manifest",
    });
  });

  test("with a damaged page is said to be damaged", async () => {
    const made = await makeFolder();
    await writeExport(made, { calls: [{ call_id: "1", notes: "refund" }] });
    await run(["index", made]);
    await damage(made, "words_data");
    const { code, stderr } = await run(["search", "--in", made, "--words", "refund"]);
    expect(code, stderr).toBe(2);
    expect(stderr).toContain("words.db is damaged, or no index of call-media: delete it");
  });

  test("says what is not searched, and what cannot be read", async () => {
    const made = await makeFolder();
    const calls = [{ call_id: "1", notes: "refund", ani: "[redacted]" }];
    await writeExport(made, { calls, masked: ["ani"] });
    const search = ["search", "--in", made, "--words", "refund"];
    expect((await run(search)).stderr).toContain(
      "it has no chats, and it masks ani, and no record has dnis, agent_name, ",
    );
    const chats = [{ call_id: "1", messages: ["refund"] }];
    await writeExport(made, { calls, chats });
    await rename(join(made, "transcripts"), join(made, "recordings"));
    const { code, stderr } = await run(["index", made]);
    expect(code).toBe(1);
    expect(stderr).toContain("1 record or transcript of");
    // Later searches print the warning, too.
    expect((await run(search)).stderr).toContain("cannot be read and are not searched");
  });
});

describe("a mistake is named:", () => {
  test.each([
    [["--agent", "1"], "--agent: FOLDER masks agent, so that nothing can be found by it"],
    [["--where", 'agent == "1"'], "--where: FOLDER masks agent"],
    [["--group-by", "agent", "--json"], "--group-by: FOLDER masks agent"],
    [["--skill", "x"], "--skill: no record of FOLDER has skill"],
    [["--where", 'disposition != "Sale"'], "--where: no record of FOLDER has disposition"],
    [["--on", "2026-03-01"], "the days: no record of FOLDER has datetime"],
    [["--profile", "x"], "'--in <folder>' cannot be used with option '--profile <name>'"],
    [["--words", '"refund'], "--words has a quotation mark that is not closed"],
    [["--from", "2026-03-02", "--to", "2026-03-01"], "--from 2026-03-02 is after --to 2026-03-01"],
  ])("%j", async (args, message) => {
    const made = await makeFolder();
    await writeExport(made, { calls: [{ call_id: "1", agent: "[redacted]" }], masked: ["agent"] });
    const { code, stdout, stderr } = await run(["search", "--in", made, ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.replaceAll(made, "FOLDER")).toContain(message);
  });

  test("a folder without an export, or with a table", async () => {
    const made = await makeFolder();
    expect((await run(["index", join(made, "none")])).stderr).toContain("does not exist");
    expect((await run(["index", made])).stderr).toContain("it is not an export, or not finished");
    await writeFile(join(made, "week.zip"), "");
    expect((await run(["index", join(made, "week.zip")])).stderr).toContain(
      "week.zip is a file: --in and index take the folder of an export; if it is a hand-over, unpack",
    );
    await writeFile(join(made, "metadata.csv"), "");
    const { code, stderr } = await run(["search", "--in", made, "--words", "refund"]);
    expect(code).toBe(2);
    expect(stderr).toContain("only metadata.jsonl can be searched");
  });

  test("a words.db of another program is left unchanged", async () => {
    const made = await makeFolder();
    await writeExport(made, { calls: [{ call_id: "1" }] });
    await writeFile(join(made, "words.db"), "mine, ".repeat(1000));
    const { code, stderr } = await run(["index", made]);
    expect(code).toBe(2);
    expect(stderr).toContain("is damaged, or no index of call-media: delete it");
    expect(await readFile(join(made, "words.db"), "utf8")).toContain("mine");
  });
});

function change(path: string, sql: string): void {
  using database = new DatabaseSync(join(path, "words.db"));
  database.exec(sql);
}

/** Overwrites the first page of a table. */
async function damage(path: string, table: string): Promise<void> {
  const file = join(path, "words.db");
  const database = new DatabaseSync(file, { readOnly: true });
  const page = database
    .prepare(
      "SELECT rootpage, page_size FROM sqlite_schema JOIN pragma_page_size WHERE sqlite_schema.name = ?",
    )
    .get(table);
  database.close();
  const bytes = Number(page?.["page_size"]);
  await using opened = await open(file, "r+");
  await opened.write(Buffer.alloc(bytes, 0xff), 0, bytes, (Number(page?.["rootpage"]) - 1) * bytes);
}

test("a condition on transcripts warns of chats that the export does not have", async () => {
  const where = ["--where", 'transcript ~ "refund"', "--format", "csv", "--columns", "call_id"];
  const out = join(home, "without-chats");
  await run(["export", ...MARCH, "--files", "none", "--out", out], variables);
  const without = await run(["search", "--in", out, ...where], {});
  expect(without.stdout.split(/\s+/)).toEqual(["call_id", "said", ""]);
  expect(without.stderr).toContain(
    `Warning: 5 chats are not in ${out}: what was written only there is not judged. An export with --files transcripts has them.\n`,
  );

  const lost = join(home, "lost-chats");
  await cp(folder, lost, { recursive: true });
  await run(["index", lost]);
  await rm(join(lost, "transcripts"), { recursive: true });
  expect((await run(["search", "--in", lost, ...where], {})).stderr).toContain("1 chat is not in");

  expect((await run(["search", "--in", folder, ...where], {})).stderr).not.toContain("Warning");
});
