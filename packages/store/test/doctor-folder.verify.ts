// What the doctor says of an archive's folder as another user, and on a disk of its own.
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Finding } from "./support/maintenance.ts";
import { createFolder } from "./support/archives.ts";
import { AS_ANYBODY, canBeAnybody, runModule, works } from "@call-media/test-setup/as-anybody";
import { CALLS } from "./support/examined.ts";
import { createClosedArchive } from "./support/kept-archive.ts";

const GIVE_IT = "give it to the user that runs the service (chown)";
const UNWRITABLE =
  "it may not be written to by this user; without an access log no recording is sent";

const EXAMINE = `
  const { examine } = await import(process.argv[1]);
  console.log(JSON.stringify(await examine(process.argv[2], { isOfRoom: process.argv[3] === "true" })));
`;
const DOOR = new URL("./support/maintenance.ts", import.meta.url).href;

/** What the doctor says in a process of its own, which `command` starts. */
async function examineBy(
  command: readonly string[],
  directory: string,
  isOfRoom = false,
): Promise<Finding[]> {
  return JSON.parse(await runModule(command, EXAMINE, [DOOR, directory, String(isOfRoom)]));
}

describe.runIf(canBeAnybody)("to a user who may not do everything, the doctor says", () => {
  test.each<[name: string, mode: number, finding: Finding]>([
    [
      "",
      0o000,
      {
        level: "error",
        what: "the folder may not be read",
        where: "",
        todo: "run this as the user that runs the service",
      },
    ],
    ["", 0o500, { level: "error", what: UNWRITABLE, where: "", todo: GIVE_IT }],
    ["archive.db", 0o400, { level: "error", what: UNWRITABLE, where: "archive.db", todo: GIVE_IT }],
    ["access.db", 0o400, { level: "error", what: UNWRITABLE, where: "access.db", todo: GIVE_IT }],
    [
      "media",
      0o000,
      {
        level: "error",
        what: "a folder of recordings cannot be read: EACCES",
        where: "media",
        todo: `${GIVE_IT}; if it is theirs, look at the disk`,
      },
    ],
  ])("that %j of mode %o is out of reach", async (name, mode, { where, ...finding }) => {
    const directory = await createClosedArchive(...CALLS);
    await chmod(join(directory, name), mode);
    try {
      expect(await examineBy(AS_ANYBODY, directory)).toEqual([
        { ...finding, where: join(directory, where) },
      ]);
    } finally {
      await chmod(join(directory, name), 0o700);
    }
  });
});

test.runIf(canBeAnybody)(
  "a folder that may not be looked into is not said to hold no archive",
  async () => {
    const directory = await createClosedArchive(...CALLS);
    await chmod(directory, 0o000);
    const verifying = `
    const { verifyMedia } = await import(process.argv[1]);
    await verifyMedia({ directory: process.argv[2] }).catch(({ code }) => console.log(code));
  `;
    try {
      expect(await runModule(AS_ANYBODY, verifying, [DOOR, directory])).toBe("EACCES\n");
    } finally {
      await chmod(directory, 0o700);
    }
  },
);

// A disk of its own needs a namespace of its own.
describe.runIf(await works(["unshare", "-rm"]))("on a disk of its own, the doctor finds", () => {
  const examineOnDisk = async (directory: string, prepare: string) => {
    const disk = join(await createFolder(), "disk");
    await mkdir(disk);
    const mount = `mount -t tmpfs -o size=16m tmpfs "$1" && cp -a "$2/." "$1" && ${prepare} && shift 2 && exec "$@"`;
    const command = ["unshare", "-rm", "sh", "-c", mount, "sh", disk, directory];
    return { disk, findings: await examineBy(command, disk, true) };
  };
  const nearlyFull = (disk: string): Finding => ({
    level: "warning",
    what: expect.stringMatching(/^the disk is nearly full: \d+ MiB are left$/),
    where: disk,
    todo: "make room: imports stop on a full disk, and without an access log nothing is sent",
  });

  test("that it is nearly full", async () => {
    const { disk, findings } = await examineOnDisk(await createClosedArchive(...CALLS), "true");
    expect(findings).toEqual([nearlyFull(disk)]);
  });

  test("that it can only be read", async () => {
    const directory = await createClosedArchive(...CALLS);
    // bind: but for root the file system itself cannot be changed.
    const { disk, findings } = await examineOnDisk(directory, 'mount -o remount,bind,ro "$1"');
    expect(findings).toEqual([
      {
        level: "error",
        what: "the disk can only be read",
        where: disk,
        todo: "mount it so that it can be written to",
      },
      nearlyFull(disk),
    ]);
  });
});
