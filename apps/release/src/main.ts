// The program: the two halves of a release, and its rehearsal.
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readNotes } from "./changelog.ts";
import { keepArchive } from "./kept-archive.ts";
import { writePapers } from "./papers.ts";
import { prepareRelease } from "./prepare.ts";
import { packRelease, publishPacked } from "./publish.ts";
import { rehearse } from "./rehearse.ts";
import { repository } from "./run.ts";

const commands: Readonly<Record<string, (folder: string | undefined) => Promise<void>>> = {
  prepare: async () => {
    await prepareRelease(repository);
    await commands["archive"]?.(undefined);
    console.log("release: versions and the changelog are written; look at them, and commit");
  },
  pack: async (folder) => void (await pack(folder)),
  publish: async (folder) => {
    const out = await pack(folder);
    await publishPacked(repository, out);
    console.log("release: published");
  },
  archive: async () => {
    console.log(`release: ${await keepArchive(repository)} has the archive of this version`);
  },
  rehearse,
};

async function pack(folder: string | undefined): Promise<string> {
  const out = folder ? resolve(folder) : await mkdtemp(join(tmpdir(), "call-media-release-"));
  const packages = await packRelease(repository, out);
  await writePapers(repository, join(out, "papers"));
  await writeFile(join(out, "notes.md"), await readNotes(repository));
  for (const { manifest } of packages) {
    console.log(`release: ${manifest.name} ${manifest.version} is packed and checked`);
  }
  console.log(`release: tarballs and papers are in ${out}`);
  return out;
}

/** Exit status: 0 done, 1 rejected or failed, 2 an error in the command. */
async function main(name: string, folder: string | undefined): Promise<number> {
  const command = commands[name];
  if (command === undefined) {
    console.error(`usage: node src/main.ts ${Object.keys(commands).join("|")} [folder]`);
    return 2;
  }
  try {
    await command(folder);
    return 0;
  } catch (error) {
    console.error(`release: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

process.exitCode = await main(process.argv[2] ?? "", process.argv[3]);
