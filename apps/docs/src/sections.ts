// What the site has, in the order of its menu: where each page comes from and what it is called by.
import { writeChanges } from "./pages/changes.ts";
import { writeErrors } from "./pages/errors.ts";
import { readSource } from "./places.ts";

/** A page in Markdown. */
export interface Source {
  /** Of the page, without `.html`. */
  readonly slug: string;
  /** The file it is, or would be if it were not generated: its links go from there. Relative to the repository. */
  readonly path: string;
  readonly read: () => Promise<string>;
}

export interface Section {
  readonly title: string;
  readonly sources: readonly Source[];
}

/** The page that Redocly makes; it stands in the menu, but is no Markdown. */
export const REFERENCE = { slug: "reference", title: "Reference" } as const;

const fromFile = (slug: string, path: string): Source => ({
  slug,
  path,
  read: () => readSource(path),
});

const toGuide = (slug: string): Source => fromFile(slug, `apps/docs/guides/${slug}.md`);

const toPackage = (name: string): Source => fromFile(name, `packages/${name}/README.md`);

export const SECTIONS: readonly Section[] = [
  {
    title: "Guides",
    sources: [
      "index",
      "authentication",
      "searching",
      "recordings",
      "running",
      "importing",
      "rights",
      "checking",
    ].map(toGuide),
  },
  {
    title: "The contract",
    sources: [
      { slug: "errors", path: "apps/docs/errors.md", read: writeErrors },
      fromFile("decisions", "spec/DECISIONS.md"),
      { slug: "changes", path: "apps/docs/changes.md", read: writeChanges },
    ],
  },
  {
    title: "Packages",
    sources: [
      ...["client", "cli", "server", "store", "conformance", "api"].map(toPackage),
      fromFile("deploy", "packages/server/deploy/README.md"),
    ],
  },
];
