// Where a link of a source leads: to another page of the site, or to the repository. A link that leads nowhere stops the build.
import { existsSync } from "node:fs";
import { posix } from "node:path";
import type { LinkResolver } from "./markdown.ts";
import { REPOSITORY } from "./places.ts";

export interface Links {
  /** Resolves the links of one source. */
  readonly from: (path: string) => LinkResolver;
  /** Throws an Error that names every link to an anchor that no page has, once all pages are rendered. */
  readonly check: (anchorsOf: ReadonlyMap<string, ReadonlySet<string>>) => void;
}

interface LinkOptions {
  /** The page of each source on the site. */
  readonly slugOf: ReadonlyMap<string, string>;
  readonly repositoryUrl: string;
}

/** Pages that are no Markdown, whose anchors are made when they run. */
const UNCHECKED = /^(?:reference\.html|\d+\.\d+\.\d+\/)/;

export function createLinks({ slugOf, repositoryUrl }: LinkOptions): Links {
  const used: { from: string; page: string; anchor: string }[] = [];
  const toPage = (from: string, page: string, anchor: string) => {
    used.push({ from, page, anchor });
    return `${page}.html${anchor && `#${anchor}`}`;
  };
  const resolve = (from: string, href: string): string => {
    if (/^[a-z]+:/.test(href) || UNCHECKED.test(href)) return href;
    const [target = "", anchor = ""] = href.split("#");
    const path = target === "" ? from : posix.join(posix.dirname(from), target);
    const page = slugOf.get(path) ?? slugOf.get(posix.join(path, "README.md"));
    if (page !== undefined) return toPage(from, page, anchor);
    if (!existsSync(`${REPOSITORY}${path}`))
      throw new Error(`${from} links to ${href}: no such file`);
    return `${repositoryUrl}/blob/main/${path}${anchor && `#${anchor}`}`;
  };
  return {
    from: (path) => (href) => resolve(path, href),
    check: (anchorsOf) => {
      const dead = used.filter(
        ({ page, anchor }) => anchor !== "" && anchorsOf.get(page)?.has(anchor) !== true,
      );
      if (dead.length === 0) return;
      const lines = dead.map(({ from, page, anchor }) => `${from}: ${page}.html has no #${anchor}`);
      throw new Error(`Links lead nowhere:\n${lines.join("\n")}`);
    },
  };
}
