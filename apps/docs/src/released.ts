// The released documents of the contract, by version. The last one is stored by the contract gate; its `release` command stores
// the earlier ones here.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { REPOSITORY, SITE } from "./places.ts";

export interface ReleasedDocument {
  readonly version: string;
  readonly file: string;
}

const LAST = `${REPOSITORY}apps/contract-gate/released/openapi.json`;
const BEFORE = `${SITE}released/`;

/** Newest first. */
export async function readReleased(): Promise<readonly ReleasedDocument[]> {
  const names = (await readdir(BEFORE)).filter((name) => /^\d.*\.json$/.test(name));
  const files = [...names.map((name) => `${BEFORE}${name}`), ...(existsSync(LAST) ? [LAST] : [])];
  const found = await Promise.all(
    files.map(async (file) => ({ file, version: await readVersion(file) })),
  );
  return found.toSorted((a, b) => b.version.localeCompare(a.version, "en", { numeric: true }));
}

async function readVersion(file: string): Promise<string> {
  const { info } = JSON.parse(await readFile(file, "utf8")) as { info: { version: string } };
  return info.version;
}
