// A disk without room: what is said of an archive that lies on it, of which nothing is damaged, and of what is to be written to it.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "./support/archives.ts";
import { runModule, works } from "@call-media/test-setup/as-anybody";
import { createClosedArchive } from "./support/maintenance.ts";

// A disk of its own needs one.
const NAMESPACE = ["unshare", "-rm"];

// Keeps of the film what there is room for.
const MOUNT = `mount -t tmpfs -o size=4m tmpfs "$1" && cp -a "$2/." "$1" && head -c "$3" /dev/zero > "$1/film"
  shift 3 && exec "$@"`;

const DOORS = ["../../store/src/open.ts", "../src/export/index.ts"].map(
  (name) => new URL(name, import.meta.url).href,
);

// In a process of its own, whose disk it is.
const WORK = `
  const [disk, directory, ...doors] = process.argv.slice(1);
  const [{ openMaintenance, openStore }, { EXPORT_FORMATS, exportArchive }] = await Promise.all(doors.map((door) => import(door)));
  const archive = await openMaintenance({ records: directory });
  const format = EXPORT_FORMATS.jsonl;
  const tell = (work) => work.then(() => "done", ({ name, message }) => [name, message]);
  console.log(JSON.stringify({
    opening: await tell(openStore({ records: disk })),
    findings: await (await openMaintenance({ records: disk })).check(),
    backup: await tell(archive.snapshot(disk + "/backup")),
    recordings: await tell(exportArchive({ archive, format, to: disk + "/whole" })),
    records: await tell(exportArchive({ archive, format, to: disk + "/none", fromDay: "2030-01-01" })),
  }));
`;

/** What comes of work on a disk of 4 MiB that has an archive and a film of so many bytes on it. */
async function workOnDisk(filmBytes: number) {
  const directory = await createClosedArchive("a");
  const disk = join(await createFolder(), "disk");
  await mkdir(disk);
  const mount = ["sh", "-c", MOUNT, "sh", disk, directory, String(filmBytes)];
  const text = await runModule([...NAMESPACE, ...mount], WORK, [disk, directory, ...DOORS]);
  return { disk, outcome: JSON.parse(text) };
}

describe.runIf(await works(NAMESPACE))("on a disk of its own", () => {
  const nearlyFull = expect.stringMatching(/^the disk is nearly full: \d MiB are left$/);

  test("that has room everything can be done", async () => {
    const { outcome } = await workOnDisk(0);
    expect(outcome).toEqual({
      opening: "done",
      findings: [
        expect.objectContaining({ level: "warning", what: nearlyFull }),
        // The recording of the test is a letter.
        expect.objectContaining({ what: "recordings are not audio: 1 file" }),
      ],
      backup: "done",
      recordings: "done",
      records: "done",
    });
  });

  test("that is full, that is said with the place, and nothing of damage", async () => {
    const { disk, outcome } = await workOnDisk(2 ** 23);
    const full = "the disk is full: make room on it, then try again";
    const toUnreadable = (name: string) => ({
      level: "error",
      what: "it cannot be read: the disk is full",
      where: join(disk, name),
      todo: "make room and run doctor again: nothing is known of its content yet",
    });
    const toUnwritten = (place: string) => [
      "StoreFault",
      expect.stringMatching(new RegExp(`^${disk}/${place} cannot be written: ${full}$`)),
    ];
    expect(outcome).toEqual({
      opening: ["ArchiveError", `${join(disk, "archive.db")} cannot be used: ${full}`],
      findings: [
        expect.objectContaining({ level: "warning", what: nearlyFull }),
        toUnreadable("archive.db"),
        toUnreadable("access.db"),
      ],
      backup: toUnwritten("backup/access\\.db"),
      recordings: toUnwritten("\\.whole-unfinished-\\w+/media"),
      records: toUnwritten("\\.none-unfinished-\\w+/export\\.manifest"),
    });
  });
});
