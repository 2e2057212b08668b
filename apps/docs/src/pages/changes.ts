// Generates the page of changes: changesets waiting for a release, the changelog, and the contract's versions.
import { readdir } from "node:fs/promises";
import { parseChangesetFile } from "@changesets/parse";
import { readSource, REPOSITORY } from "../places.ts";
import { readReleased } from "../released.ts";
import { HERE, toReleased } from "../versions.ts";

/** The page in Markdown. */
export async function writeChanges(): Promise<string> {
  return `# Changes

What is new in the packages. They follow Semantic Versioning, and so does the contract:
[the policy](../release/README.md#policy).

## Not yet released

${await writeWaiting()}

${await writeChangelog()}

## Versions of the contract

The reference of each version keeps its address.

${[HERE, ...(await readReleased()).map(({ version }) => toReleased(version))]
  .map(({ label, href }) => `- [${label}](${href})`)
  .join("\n")}
`;
}

async function writeWaiting(): Promise<string> {
  const names = await readdir(`${REPOSITORY}.changeset`);
  const files = names.filter((name) => name.endsWith(".md") && name !== "README.md").toSorted();
  const entries = await Promise.all(
    files.map(async (name) => {
      const { summary, releases } = parseChangesetFile(await readSource(`.changeset/${name}`));
      const told = releases.map((release) => `${release.name} (${release.type})`).join(", ");
      return `**${told}**\n\n${summary}`;
    }),
  );
  return entries.join("\n\n") || "Nothing waits.";
}

/** The sections of CHANGELOG.md, without its introduction. */
async function writeChangelog(): Promise<string> {
  const log = await readSource("CHANGELOG.md");
  const at = log.search(/^## /m);
  return at < 0 ? "" : log.slice(at);
}
