// Two imports at once into one archive: of the same file, and of different ones.
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "./support/archive.ts";
import { expectWell, summarize } from "./support/archive-check.ts";
import { type Account, importInto, toAccount } from "./support/importing.ts";
import { toNumber } from "./support/scale.ts";
import { type Source, writeSource } from "./support/source.ts";

const ROUNDS = toNumber("IMPORT_ROUNDS", { short: 1, long: 8 });
const ROWS = toNumber("IMPORT_ROWS", { short: 4_000, long: 12_000 });

async function importBoth(directory: string, sources: readonly Source[]): Promise<Account[]> {
  const running = sources.map((source) => importInto(directory, source));
  return (await Promise.all(running.map(({ ended }) => ended))).map(toAccount);
}

test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  "round %i: the same file twice is imported once",
  async () => {
    const folder = await makeFolder();
    const source = await writeSource(join(folder, "source"), "calls", ROWS);
    const directory = join(folder, "archive");

    const accounts = await importBoth(directory, [source, source]);

    const { read, imported, unchanged, rejected } = source.expected;
    for (const account of accounts) {
      expect(account).toMatchObject({ read, rejected });
      expect(account.imported + account.unchanged).toBe(imported + unchanged);
    }
    expect(accounts.reduce((sum, account) => sum + account.imported, 0)).toBe(imported);
    const { calls, chats } = summarize(directory);
    expect(calls + chats).toBe(imported);
    expect(await expectWell(directory)).toEqual([]);
  },
);

test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  "round %i: two files are both imported, whole",
  async () => {
    const folder = await makeFolder();
    const sources = [
      await writeSource(join(folder, "source"), "mornings", ROWS),
      await writeSource(join(folder, "source"), "evenings", ROWS),
    ];
    const directory = join(folder, "archive");

    const accounts = await importBoth(directory, sources);

    expect(accounts).toEqual(sources.map(({ expected }) => expected));
    const { calls, chats } = summarize(directory);
    expect(calls + chats).toBe(accounts.reduce((sum, { imported }) => sum + imported, 0));
    expect(await expectWell(directory)).toEqual([]);
  },
);
