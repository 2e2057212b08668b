// Builds the complete site into a folder: pages from Markdown, the references, the search, and the browser scripts.
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build as bundle } from "esbuild";
import { createDecisionLinks } from "./decisions.ts";
import { type MenuSection, type Page, writePage } from "./layout.ts";
import { createLinks } from "./links.ts";
import { createMarkdown } from "./markdown.ts";
import { readRepositoryUrl, SITE } from "./places.ts";
import { buildReference } from "./reference.ts";
import { readReleased, type ReleasedDocument } from "./released.ts";
import { withSamples } from "./samples/samples.ts";
import { writeSearchIndex } from "./search-index.ts";
import { SECTIONS } from "./sections.ts";
import { HERE, REFERENCE, toReleased } from "./versions.ts";

/** Empties the folder and fills it. Returns a sentence for each dead link of a source. */
export async function buildSite(folder: string): Promise<readonly string[]> {
  await rm(folder, { recursive: true, force: true });
  const references = readReleased().then((released) => buildReferences(folder, released));
  const [dead] = await Promise.all([buildPages(folder), references]);
  return dead;
}

/** Builds everything except the references, in about a second. Returns the same. */
export async function buildPages(folder: string): Promise<readonly string[]> {
  const { pages, dead } = await renderPages();
  const menu = toMenu(pages);
  await Promise.all([
    ...pages.map((page) => write(folder, `${page.slug}.html`, writePage(page, menu))),
    write(folder, "search-index.js", writeSearchIndex(pages)),
    cp(join(SITE, "guides/pictures"), join(folder, "pictures"), { recursive: true }),
    buildBrowser(folder),
  ]);
  return dead;
}

async function write(folder: string, path: string, text: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function renderPages(): Promise<{ pages: readonly Page[]; dead: readonly string[] }> {
  const render = await createMarkdown();
  const sources = SECTIONS.flatMap((section) => section.sources);
  const links = createLinks({
    slugOf: new Map(sources.map(({ path, slug }) => [path, slug])),
    repositoryUrl: await readRepositoryUrl(),
  });
  const pages = await Promise.all(
    sources.map(async ({ slug, path, read, label }): Promise<Page> => {
      const rendered = render(await read(), links.from(path));
      const title = rendered.headings[0]?.text ?? slug;
      return { slug, title, label: label ?? title, rendered };
    }),
  );
  const anchors = pages.map(({ slug, rendered }) => [slug, toAnchors(rendered.headings)] as const);
  return { pages, dead: links.findDead(new Map(anchors)) };
}

const toAnchors = (headings: readonly { readonly id: string }[]): ReadonlySet<string> =>
  new Set(headings.map(({ id }) => id));

function toMenu(pages: readonly Page[]): readonly MenuSection[] {
  const labelOf = new Map(pages.map(({ slug, label }) => [slug, label]));
  return SECTIONS.map(({ title, sources }) => {
    const listed = sources.map(({ slug }) => ({ slug, title: labelOf.get(slug) ?? slug }));
    return { title, pages: title === "The contract" ? [REFERENCE, ...listed] : listed };
  });
}

/** Builds the reference of the current contract, and those of the released versions, newest first. */
export async function buildReferences(
  folder: string,
  released: readonly ReleasedDocument[],
): Promise<void> {
  const versions = released.map(({ version }) => toReleased(version));
  const linkDecisions = await createDecisionLinks();
  const here = linkDecisions(JSON.stringify(withSamples()), "");
  const reference = await buildReference(here, [HERE, ...versions]);
  await write(folder, HERE.href, reference.html);
  await write(folder, "redoc.js", reference.program);
  for (const { version, file } of released) {
    const page = toReleased(version);
    const document = linkDecisions(await readFile(file, "utf8"), "../");
    await write(folder, page.href, reference.writeReleased(document, page));
  }
}

async function buildBrowser(folder: string): Promise<void> {
  // The site redistributes this library, so its licence is included.
  const licence = await readFile(join(SITE, "node_modules/minisearch/LICENSE.txt"), "utf8");
  const names = ["text.css", "reference.css"];
  await Promise.all(names.map((name) => cp(join(SITE, "browser", name), join(folder, name))));
  // A separate file, because the console uses the same colours.
  const frame = ["colours.css", "frame.css"].map((name) =>
    readFile(join(SITE, "browser", name), "utf8"),
  );
  await write(folder, "frame.css", (await Promise.all(frame)).join(""));
  await bundle({
    entryPoints: [join(SITE, "browser/site.ts")],
    outfile: join(folder, "site.js"),
    banner: { js: `/*! MiniSearch\n${licence}*/` },
    bundle: true,
    format: "iife",
    minify: true,
    target: "es2022",
  });
}
