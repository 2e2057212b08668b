// A disk that can only be read: whatever is to be made on it says so, and of no folder that it is missing.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "./support/archives.ts";
import { runModule, works } from "@call-media/test-setup/as-anybody";
import { createClosedArchive } from "./support/maintenance.ts";

// A disk of its own needs one.
const NAMESPACE = ["unshare", "-rm"];

// bind: but for root the file system itself cannot be changed.
const MOUNT = `mount -t tmpfs tmpfs "$1" && mkdir "$1/there" && mount -o remount,bind,ro "$1" && shift && exec "$@"`;

const DOORS = ["../../store/src/open.ts", "../src/export/index.ts"].map(
  (name) => new URL(name, import.meta.url).href,
);

// In a process of its own, whose disk it is.
const WORK = `
  const [disk, directory, backup, ...doors] = process.argv.slice(1);
  const [{ createStore, openMaintenance }, { EXPORT_FORMATS, exportArchive }] = await Promise.all(doors.map((door) => import(door)));
  const archive = await openMaintenance({ records: directory });
  const format = EXPORT_FORMATS.jsonl;
  const tell = (work) => work.then(() => "done", ({ message }) => message);
  await archive.snapshot(backup);
  const outcomes = {};
  for (const to of [disk + "/there", disk + "/new", disk + "/new/below"])
    outcomes[to] = [
      await tell(createStore({ records: to })),
      await tell(archive.snapshot(to)),
      await tell((await openMaintenance({ records: to })).restore(backup)),
      await tell(exportArchive({ archive, format, to })),
    ];
  console.log(JSON.stringify(outcomes));
`;

describe.runIf(await works(NAMESPACE))("on a disk of its own", () => {
  test("that can only be read an archive, a backup and an export are refused as such", async () => {
    const directory = await createClosedArchive("a");
    const folder = await createFolder();
    const disk = join(folder, "disk");
    await mkdir(disk);
    const mount = ["sh", "-c", MOUNT, "sh", disk];
    const args = [disk, directory, join(folder, "backup"), ...DOORS];
    const outcomes = JSON.parse(await runModule([...NAMESPACE, ...mount], WORK, args));

    const refused = expect.stringMatching(/^EROFS: read-only file system, /);
    const all = [refused, refused, refused, refused];
    expect(outcomes).toEqual({
      [join(disk, "there")]: all,
      [join(disk, "new")]: all,
      [join(disk, "new", "below")]: all,
    });
  });
});
