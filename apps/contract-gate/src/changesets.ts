// The changesets for the next release: checks that one describes a change of the document, and which packages they name.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { BUMPS, type Rating } from "@call-media/contract-diff";
import { parseChangesetFile } from "@changesets/parse";

/** The package that ships the document: a change of the document is a change of this package. */
export const CARRIER = "@call-media/api";

type Changeset = ReturnType<typeof parseChangesetFile>;

const greatness: readonly string[] = ["none", "patch", "minor", "major"];

/** Reads every changeset of a folder; empty if the folder does not exist. Throws an Error naming a file that cannot be parsed. */
export async function readChangesets(folder: string): Promise<Changeset[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith(".md") && name !== "README.md");
  return Promise.all(files.map((name) => readChangeset(join(folder, name))));
}

async function readChangeset(file: string): Promise<Changeset> {
  const text = await readFile(file, "utf8");
  try {
    return parseChangesetFile(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file} is not a changeset: ${reason}`, { cause: error });
  }
}

/** Says, as a sentence, if no changeset describes a change with this rating; undefined if one does. */
export function findUntold(changesets: readonly Changeset[], least: Rating): string | undefined {
  const bump = BUMPS[least];
  if (bump === undefined) return undefined;
  const isEnough = (type: string) => greatness.indexOf(type) >= greatness.indexOf(bump);
  const isTold = changesets.some(
    ({ summary, releases }) =>
      summary.trim() !== "" &&
      releases.some(({ name, type }) => name === CARRIER && isEnough(type)),
  );
  if (isTold) return undefined;
  return `no changeset in .changeset/ names "${CARRIER}": ${bump}, or more, and says what changes`;
}

/** Returns a sentence for each package that a changeset names and that is not among `names`. A release would stop at it. */
export function findStrangers(
  changesets: readonly Changeset[],
  names: readonly string[],
): string[] {
  const named = changesets.flatMap(({ releases }) => releases.map(({ name }) => name));
  return [...new Set(named)]
    .filter((name) => !names.includes(name))
    .map((name) => `a changeset in .changeset/ names "${name}", which is none of packages/`);
}
