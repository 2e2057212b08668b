// An archive is found by the address of its places.
import { readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Media, verifyMedia } from "../src/index.ts";
import { createStore, findAdapter, openMaintenance, openStore } from "../src/open.ts";
import { call, fill } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";

test.each(["", "sqlite:"])("after %j stands the folder of an archive", async (scheme) => {
  const directory = join(await createFolder(), "archive");
  const places = { records: scheme + directory };
  expect(await (await findAdapter(places)).exists()).toBe(false);
  await expect(openStore(places)).rejects.toThrow(`there is no archive in ${directory}`);

  await (await createStore(places, { timeZone: "Asia/Tokyo" }))[Symbol.asyncDispose]();
  await using store = await openStore({ records: directory });
  expect(store.timeZone).toBe("Asia/Tokyo");
  expect(await (await findAdapter(places)).exists()).toBe(true);
});

test.each(["", "file:"])(
  "recordings lie in a folder of their own, named after %j",
  async (scheme) => {
    const [records, elsewhere] = [await createFolder(), join(await createFolder(), "sounds")];
    const places = { records, media: scheme + elsewhere };
    await using store = await createStore(places);
    const media = await store.media.put({ name: "a.ulaw", content: Buffer.from("sound") });

    expect(await readdir(join(elsewhere, media.sha256.slice(0, 2)))).toEqual([media.sha256]);
    expect(await readdir(records)).not.toContain("media");
    await fill(store, [
      call({ call_id: "A" }, { recordings: [{ filename: "a.ulaw", media }] }),
      call({ call_id: "B" }),
    ]);
    const archive = await openMaintenance(places);
    expect(await verifyMedia(archive)).toMatchObject({ files: 1, damages: [], unreferenced: [] });
    expect((await archive.check()).filter(({ where }) => !where.includes("disk"))).toEqual([]);
    const asked = { operator: "mia" };
    expect(await archive.erase({ callId: "A" }, asked)).toMatchObject({ files: 1, ofNoRecord: [] });
    expect(await archive.referencedMedia()).toMatchObject({ files: 0 });
    await expect(store.media.open(media)).rejects.toMatchObject({ reason: "lost" });
    expect(Object.keys(archive)).not.toEqual(expect.arrayContaining(["snapshot"]));
  },
);

test("what is wrong with recordings elsewhere is found by their list", async () => {
  const [records, elsewhere] = [await createFolder(), await createFolder()];
  const places = { records, media: elsewhere };
  await using store = await createStore(places);
  const put = (name: string) => store.media.put({ name, content: Buffer.from(name) });
  const [missing, short, orphan] = [await put("missing"), await put("short"), await put("orphan")];
  await fill(
    store,
    [missing, short].map((media, index) =>
      call({ call_id: String(index) }, { recordings: [{ filename: "a.ulaw", media }] }),
    ),
  );
  const toFile = ({ sha256 }: Media) => join(elsewhere, sha256.slice(0, 2), sha256);
  await rm(toFile(missing));
  await writeFile(toFile(short), "s");
  await writeFile(join(elsewhere, ".x.part"), "half");
  await utimes(join(elsewhere, ".x.part"), 1, 1);

  const findings = await (await openMaintenance(places)).check();
  expect(findings.map(({ level, what, where }) => [level, what, where])).toEqual([
    ["error", "recordings are missing: 1 file", missing.sha256],
    ["error", "recordings have another length than was imported: 1 file", short.sha256],
    ["warning", "no record names what lies here: 1 file", expect.stringContaining(orphan.sha256)],
    [
      "warning",
      "an import was cut off and left behind: 1 file",
      expect.stringContaining(".x.part"),
    ],
  ]);
});

test.each([
  [{ records: "postgress://mia:secret@db/cm" }, "there is nothing to open postgress:// with"],
  [{ records: "/nowhere", media: "ftp://mia:secret@disk" }, "there is nothing to open ftp:// with"],
])("an address of an unknown kind is refused without its secrets: %j", async (places, message) => {
  const refused = openStore(places);
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.not.toThrow("secret");
});

test("maintenance of places without an archive says so when it is used", async () => {
  const archive = await openMaintenance({ records: "/nowhere" });
  await expect(archive.scan()).rejects.toThrow("there is no archive in /nowhere");
  expect(await archive.check()).toMatchObject([{ level: "error" }]);
});
