// Two programs that make the same archive at the same moment.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createStore } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import { call, fill } from "../src/suite/records.ts";

// Long enough that whoever does not wait has failed by then.
const HELD_MS = 500;

// The lock of a program that has begun to write the file, which is not in WAL mode yet: nobody waits for that one of himself.
const HOLDER = `
  const { DatabaseSync } = require("node:sqlite");
  const database = new DatabaseSync(process.argv[1], { timeout: 5_000 }); // who asks for it reads it now and then
  database.exec("BEGIN IMMEDIATE");
  console.log("held");
  setTimeout(() => database.exec("COMMIT"), ${HELD_MS});
`;

test("an archive that another program is making is waited for", async () => {
  const directory = await createFolder();
  const holder = spawn(process.execPath, ["-e", HOLDER, join(directory, "archive.db")]);
  const ended = once(holder, "exit");
  await once(holder.stdout, "data");

  await using store = await createStore({ directory });
  expect(await fill(store, [call({ call_id: "1" })])).toEqual(["imported"]);
  expect(await ended).toEqual([0, null]);
});
