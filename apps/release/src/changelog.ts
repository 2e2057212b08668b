// Writes CHANGELOG.md: one section per release from its changesets, in the form of https://keepachangelog.com.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CARRIER, type ReleasePlan } from "./release-plan.ts";

/** The kinds of changes of keepachangelog.com, in its order. */
const KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"] as const;

const NEXT_SECTION = /^## /m;

const RELEASES = "https://github.com/call-media/call-media/releases/tag/";

/**
 * Writes the section of `plan` above those of earlier releases.
 *
 * @param day the day of the release, YYYY-MM-DD
 * @throws Error before writing anything if the summary of a changeset does not begin with a kind of change.
 */
export async function addToChangelog(root: string, plan: ReleasePlan, day: string): Promise<void> {
  const path = join(root, "CHANGELOG.md");
  const text = await readFile(path, "utf8");
  const section = toSection(plan, day);
  const at = text.search(NEXT_SECTION);
  await writeFile(
    path,
    at < 0 ? `${text}\n${section}` : `${text.slice(0, at)}${section}\n${text.slice(at)}`,
  );
}

/** The newest section without its heading: the notes of that release. */
export async function readNotes(root: string): Promise<string> {
  const [, notes = ""] = (await readFile(join(root, "CHANGELOG.md"), "utf8")).split(/^## .*\n/m);
  return notes.trim();
}

/** The section of a release in Markdown. */
export function toSection(plan: ReleasePlan, day: string): string {
  const entries = plan.changesets.map(({ id, summary, releases }) => {
    const [, kind = "", change = ""] = /^(\w+): (.*)$/s.exec(summary.trim()) ?? [];
    if (!KINDS.some((known) => known === kind)) {
      throw new Error(
        `.changeset/${id}.md: the text must begin with one of ${KINDS.join(", ")}, and a colon`,
      );
    }
    const names = releases.map(({ name }) => `\`${name}\``).join(", ");
    return { kind, line: `- ${names}: ${change.replaceAll("\n", "\n  ")}` };
  });
  const parts = KINDS.flatMap((kind) => {
    const lines = entries.filter((entry) => entry.kind === kind).map(({ line }) => line);
    return lines.length > 0 ? [`### ${kind}\n\n${lines.join("\n")}\n`] : [];
  });
  return [`## ${toHeading(plan)} - ${day}\n`, ...parts].join("\n");
}

/** All packages except the one with the contract share a version. A release of only that package is named after it. */
function toHeading({ releases }: ReleasePlan): string {
  const shared = releases.find(({ name }) => name !== CARRIER);
  if (shared !== undefined) return `[${shared.newVersion}](${RELEASES}v${shared.newVersion})`;
  const version = releases.find(({ name }) => name === CARRIER)?.newVersion ?? "";
  return `[${CARRIER} ${version}](${RELEASES}${CARRIER}@${version})`;
}
