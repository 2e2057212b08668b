// The archive of a release: a few records of every kind, made by the program of that release. Every later version has to open it.
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./run.ts";

/** The archives, each in a folder that is named like its version. */
export const ARCHIVES = "apps/release/archives";

/** Runs `call-media-server` of this repository. Throws an Error with its output if it fails. */
export const createProgram =
  (root: string, cwd: string) =>
  (...args: readonly string[]): Promise<string> =>
    run([process.execPath, join(root, "packages/server/src/main.ts"), ...args], { cwd });

const AT = "2025-05-01T10:00:00Z";

const toCall = (call_id: string, fields: object = {}) => ({
  kind: "call",
  call_id,
  datetime: AT,
  agent: "ann",
  campaign: "Sales",
  ...fields,
});

const toSound = (name: string) => ({ media: [{ file: `${name}.ulaw`, type: "audio/basic" }] });

/** The names of its recordings, which are their contents as well. */
const SOUNDS = ["first", "again", "heard", "unheard", "gone"] as const;

/** The records, in the form in which an import reads them. */
const FIRST: readonly object[] = [
  {
    kind: "user",
    id: 7,
    username: "mia",
    status: 1,
    created_date: AT,
    is_admin: true,
    allow_all_campaigns: true,
  },
  { kind: "flag", Id: 1, Type: "Public", Name: "VIP", DateCreated: AT, DateModified: AT },
  {
    kind: "flag",
    Id: 2,
    Type: "Private",
    Name: "mine",
    user_id: 7,
    DateCreated: AT,
    DateModified: AT,
  },
  toCall("replaced", { notes: "first", ...toSound("first") }),
  toCall("held", { notes: "a storm", disposition: "Größe", ...toSound("heard") }),
  toCall("owed"),
  toCall("erased", toSound("gone")),
  toCall("unheard", toSound("unheard")),
  toCall("old", { datetime: "2015-05-01T10:00:00Z" }),
  toCall("legs", { ref_id: "r1" }),
  toCall("legs", { ref_id: "r2", datetime: "2025-05-01T10:20:00+02:00", agent: "bob" }),
  toCall("undated", { datetime: null }),
  { kind: "call", agent: "nobody", datetime: "2025-05-01 12:00:00" },
  {
    kind: "chat",
    call_id: "held",
    transcript: "Yes.",
    datetime: AT,
    party_type: "agent",
    room_id: "r",
  },
  {
    kind: "chat",
    call_id: "alone",
    transcript: "Hi",
    datetime: AT,
    party_type: "agent",
    room_id: "r",
  },
];

/** The changes of a later import: a recording in another form keeps its name. */
const SECOND: readonly object[] = [
  toCall("replaced", {
    notes: "second",
    media: [{ file: "again.ulaw", name: "first.ulaw", type: "audio/basic" }],
  }),
];

/** All that the source has at last, also of what was erased. */
export const LATEST: readonly object[] = [
  ...FIRST.filter((one) => !JSON.stringify(one).includes('"first"')),
  ...SECOND,
];

const POLICY = {
  retention: 1,
  otherwise: { keep: "90 years", sound: "80 years" },
  rules: [{ name: "payments", where: { disposition: ["Paid"] }, erase: "30 years" }],
};

/** Writes the source of an import: the records, and their recordings next to them. */
export async function writeSource(folder: string, records: readonly object[]): Promise<string> {
  const text = records.map((one) => `${JSON.stringify(one)}\n`).join("");
  for (const name of SOUNDS)
    if (text.includes(`"${name}.ulaw"`)) await writeFile(join(folder, `${name}.ulaw`), name);
  const file = join(folder, "records.jsonl");
  await writeFile(file, text);
  return file;
}

/** Makes the archive of the version that the packages of `root` have now; returns its folder. */
export async function keepArchive(root: string): Promise<string> {
  const { version } = JSON.parse(
    await readFile(join(root, "packages/server/package.json"), "utf8"),
  ) as { version: string };
  const folder = join(root, ARCHIVES, version);
  const work = await mkdtemp(join(tmpdir(), "call-media-archive-"));
  try {
    const server = createProgram(root, work);
    await fill(server, work);
    await server("export", "--data", "archive", "--out", "export");
    await mkdir(folder, { recursive: true });
    // The reserve is only room on the disk, and the lock is only held while a program runs.
    const left = ["--exclude=purge.reserve", "--exclude=purge.lock"];
    await run(["tar", "-I", "gzip -9n", "-cf", join(folder, "folder.tgz"), ...left, "archive"], {
      cwd: work,
    });
    await copyFile(join(work, "export/archive.jsonl"), join(folder, "export.jsonl"));
    return folder;
  } finally {
    await rm(work, { recursive: true });
  }
}

async function fill(server: ReturnType<typeof createProgram>, work: string): Promise<void> {
  const data = ["--data", "archive"];
  const bring = async (records: readonly object[], ...flags: readonly string[]) =>
    void (await server("import", ...data, ...flags, await writeSource(work, records)));
  await bring(FIRST, "--timezone", "Europe/Berlin");
  await bring(SECOND);
  await server("app", "create", ...data, "--user", "mia");
  await server("hold", "add", ...data, "storm", "--reason", "litigation 1", "--words", "storm");
  await server(
    "hold",
    "add",
    ...data,
    "named",
    "--reason",
    "audit 2",
    "--where",
    '{"call_id":["owed"]}',
  );
  const purge = (...args: readonly string[]) => server("purge", ...data, ...args, "--yes");
  await purge("--call-id", "erased", "--case", "GDPR-1");
  await purge("--ref-id", "r1");
  await purge("--before", "2016-01-01");
  await purge("--call-id", "unheard", "--sound");
  // It is held, so this is owed, and exits with 4.
  await purge("--call-id", "owed").catch(() => {});
  const policy = join(work, "policy.json");
  await writeFile(policy, JSON.stringify(POLICY));
  await server("retention", "set", ...data, policy);
}
