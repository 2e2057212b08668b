// An archive is found by the address of its places.
import { join } from "node:path";
import { expect, test } from "vitest";
import { createStore, findAdapter, openMaintenance, openStore } from "../src/open.ts";
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

test("recordings of an archive in a folder lie nowhere else", async () => {
  const places = { records: await createFolder(), media: "s3://recordings" };
  await expect(openStore(places)).rejects.toThrow("recordings cannot lie in s3:");
});

test("maintenance of places without an archive says so when it is used", async () => {
  const archive = await openMaintenance({ records: "/nowhere" });
  await expect(archive.scan()).rejects.toThrow("there is no archive in /nowhere");
  expect(await archive.check()).toMatchObject([{ level: "error" }]);
});
