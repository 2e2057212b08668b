// The pages of the site in menu order, each with its source and its name.
import { writeChanges } from "./pages/changes.ts";
import { writeClientApi } from "./pages/client-api.ts";
import { writeErrors } from "./pages/errors.ts";
import { writeExamples } from "./pages/examples.ts";
import { readSource } from "./places.ts";

/** A page in Markdown. */
export interface Source {
  /** The page's file name without `.html`. */
  readonly slug: string;
  /** The file, relative to the repository, from which links are resolved; for a generated page, the file it would be. */
  readonly path: string;
  readonly read: () => Promise<string>;
  /** The name in the menu. Default: the title of the page. */
  readonly label?: string;
}

export interface Section {
  readonly title: string;
  readonly sources: readonly Source[];
}

const fromFile = (slug: string, path: string): Source => ({
  slug,
  path,
  read: () => readSource(path),
});

const toGuide = (slug: string): Source => fromFile(slug, `apps/docs/guides/${slug}.md`);

const DECISIONS = fromFile("decisions", "spec/DECISIONS.md");

// Question, answer and sign start on separate lines in the source; on a page they would run together.
const readDecisions = async (): Promise<string> =>
  (await DECISIONS.read()).replaceAll(/\n(?=\*\*(?:Answer|A client can tell):)/g, "  \n");

const toPackage = (name: string): Source => fromFile(name, `packages/${name}/README.md`);

export const SECTIONS: readonly Section[] = [
  {
    title: "Start",
    sources: [{ ...toGuide("index"), label: "Getting started" }],
  },
  {
    title: "Look and listen",
    sources: ["console", "searching", "searching-by-words", "recordings"].map(toGuide),
  },
  { title: "Hand over", sources: ["exporting", "export-format"].map(toGuide) },
  {
    title: "Build on it",
    sources: [
      ...["authentication", "watching", "language-models"].map(toGuide),
      { slug: "examples", path: "apps/examples/README.md", read: writeExamples },
      { slug: "client-api", path: "apps/docs/client-api.md", read: writeClientApi },
    ],
  },
  {
    title: "Run it",
    sources: [
      "running",
      "importing",
      "importing-continuously",
      "rights",
      "monitoring",
      "backup",
      "retention",
      "keeping-the-law",
    ].map(toGuide),
  },
  { title: "Grow", sources: ["growing"].map(toGuide) },
  {
    title: "Check in CI",
    sources: [...["checking", "checking-your-api"].map(toGuide), fromFile("ci", "ci/README.md")],
  },
  {
    title: "The contract",
    sources: [
      { slug: "errors", path: "apps/docs/errors.md", read: writeErrors },
      { ...DECISIONS, read: readDecisions, label: "What the interface leaves open" },
      { slug: "changes", path: "apps/docs/changes.md", read: writeChanges },
    ],
  },
  {
    title: "Packages",
    sources: [
      ...[
        "client",
        "cli",
        "server",
        "service",
        "testing",
        "store",
        "import",
        "conformance",
        "contract-diff",
        "handover",
        "words",
        "conditions",
        "sound",
        "terminal",
        "api",
      ].map(toPackage),
      { ...fromFile("import-formats", "packages/import/FORMATS.md"), label: "Import formats" },
      {
        ...fromFile("deploy", "packages/server/deploy/README.md"),
        label: "Containers and systemd",
      },
    ],
  },
];
