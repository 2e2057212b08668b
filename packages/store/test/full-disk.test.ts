// An archive on a disk without room: what it says when it is opened, and what the doctor says of it. Nothing of it is damaged.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Finding } from "../src/keeping/index.ts";
import { createFolder } from "./support/archives.ts";
import { runModule, works } from "./support/as-anybody.ts";
import { createClosedArchive } from "./support/kept-archive.ts";

// A disk of its own needs one.
const NAMESPACE = ["unshare", "-rm"];

// In a process of its own, whose disk it is.
const LOOK = `
  const [sqlite, keeping, directory] = process.argv.slice(1);
  const { openStore } = await import(sqlite);
  const { examine } = await import(keeping);
  const opening = await openStore({ directory }).then(() => "opened", ({ name, message }) => [name, message]);
  console.log(JSON.stringify({ opening, findings: await examine(directory) }));
`;
const DOORS = ["sqlite/sqlite-store.ts", "keeping/index.ts"].map(
  (name) => new URL(`../src/${name}`, import.meta.url).href,
);

const MOUNT = `mount -t tmpfs -o size=4m tmpfs "$1" && cp -a "$2/." "$1" && head -c "$3" /dev/zero > "$1/film"
  shift 3 && exec "$@"`;

interface Seen {
  readonly opening: unknown;
  readonly findings: readonly Finding[];
}

/** What is said of the archive on a disk of 4 MiB that has a film of so many bytes on it, of which what fits is kept. */
async function lookOnDisk(directory: string, filmBytes: number): Promise<Seen & { disk: string }> {
  const disk = join(await createFolder(), "disk");
  await mkdir(disk);
  const mount = ["sh", "-c", MOUNT, "sh", disk, directory, String(filmBytes)];
  const seen = await runModule([...NAMESPACE, ...mount], LOOK, [...DOORS, disk]);
  return { disk, ...JSON.parse(seen) };
}

describe.runIf(await works(NAMESPACE))("of an archive on a disk of its own", () => {
  test("that has room, everything can be read", async () => {
    const { opening, findings } = await lookOnDisk(await createClosedArchive("a"), 0);
    expect(opening).toBe("opened");
    expect(findings.map(({ level }) => level)).toEqual(["warning"]);
  });

  test("that is full, that is said, and nothing of damage", async () => {
    const { disk, opening, findings } = await lookOnDisk(await createClosedArchive("a"), 2 ** 23);
    expect(opening).toEqual([
      "ArchiveError",
      `${join(disk, "archive.db")} cannot be used: the disk is full: make room on it, then try again`,
    ]);
    const unreadable = ["archive.db", "access.db"].map((name) => ({
      level: "error",
      what: "it cannot be read: the disk is full",
      where: join(disk, name),
      todo: "make room and run doctor again: nothing is known of its content yet",
    }));
    expect(findings).toEqual([
      expect.objectContaining({ what: "the disk is nearly full: 0 MiB are left" }),
      ...unreadable,
    ]);
  });
});
