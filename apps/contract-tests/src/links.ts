// Finds dead links between the Markdown files of this repository.
import { posix } from "node:path";
import { type MarkdownFile, parseMarkdown } from "./markdown.ts";

// The URL of this repository on the web; a link to it is a link to a file here.
const HOME = /^https:\/\/github\.com\/call-media\/call-media\/(?:tree|blob)\/main\//;

export interface Tree {
  /** Every file, by its path from the root. */
  readonly paths: readonly string[];
  readonly read: (path: string) => string;
}

/** Returns a sentence for each dead link; empty if there are none. For links to other hosts, only the form is checked. */
export function findBrokenLinks(tree: Tree): string[] {
  const places = new Set(tree.paths.flatMap((path) => [path, ...foldersOf(path)]));
  const files = new Map(
    tree.paths
      .filter((path) => path.endsWith(".md"))
      .map((path) => [path, parseMarkdown(tree.read(path))] as const),
  );
  return [...files].flatMap(([from, { links }]) =>
    links
      .filter((link) => !isSound(link, { from, places, files }))
      .map((link) => `${from}: ${link} leads nowhere`),
  );
}

interface Surroundings {
  readonly from: string;
  readonly places: ReadonlySet<string>;
  readonly files: ReadonlyMap<string, MarkdownFile>;
}

function isSound(link: string, { from, places, files }: Surroundings): boolean {
  const isHome = HOME.test(link);
  if (!isHome && /^[a-z][a-z+.-]*:/i.test(link)) return isSoundAddress(link);
  const [path = "", anchor] = link.replace(HOME, "").split("#", 2);
  const base = isHome ? "." : posix.dirname(from);
  const target =
    path === "" && !isHome
      ? from
      : posix.normalize(posix.join(base, decodeURI(path))).replace(/\/$/, "");
  if (!places.has(target)) return false;
  if (anchor === undefined) return true;
  // A code host shows README.md below the files of a folder, at `#readme`.
  if (!files.has(target)) return anchor === "readme" && files.has(`${target}/README.md`);
  return files.get(target)?.anchors.has(anchor) ?? false;
}

/** Links to other hosts must use TLS; links to the reader's machine need not. */
function isSoundAddress(link: string): boolean {
  if (!URL.canParse(link)) return false;
  const { protocol, hostname } = new URL(link);
  const isHere = hostname === "127.0.0.1" || /(?:^|\.)localhost$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isHere);
}

function foldersOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}
