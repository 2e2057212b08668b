// Resolves a link of a source: to another page of the site, or to the repository.
import { existsSync } from "node:fs";
import { posix } from "node:path";
import type { LinkResolver } from "./markdown.ts";
import { REPOSITORY } from "./places.ts";

export interface Links {
  /** Resolves the links of one source. */
  readonly from: (path: string) => LinkResolver;
  /** Returns a sentence for each dead link, once all pages are rendered. */
  readonly findDead: (anchorsOf: ReadonlyMap<string, ReadonlySet<string>>) => readonly string[];
}

interface LinkOptions {
  /** The page slug for each source. */
  readonly slugOf: ReadonlyMap<string, string>;
  readonly repositoryUrl: string;
}

// Pages that are not Markdown. Their anchors are created at run time, so the browser tests follow them.
const OF_REDOC = /^(?:reference\.html|\d+\.\d+\.\d+\/)/;

export function createLinks({ slugOf, repositoryUrl }: LinkOptions): Links {
  const used: { from: string; page: string; anchor: string }[] = [];
  const missing: string[] = [];
  const resolve = (from: string, href: string): string => {
    if (/^[a-z]+:/.test(href) || OF_REDOC.test(href)) return href;
    const [target = "", anchor = ""] = href.split("#");
    const path = target === "" ? from : posix.join(posix.dirname(from), target);
    const fragment = anchor && `#${anchor}`;
    const page = slugOf.get(path) ?? slugOf.get(posix.join(path, "README.md"));
    if (page !== undefined) {
      used.push({ from, page, anchor });
      return `${page}.html${fragment}`;
    }
    if (!existsSync(`${REPOSITORY}${path}`)) missing.push(`${from}: there is no ${path}`);
    return `${repositoryUrl}/blob/main/${path}${fragment}`;
  };
  return {
    from: (path) => (href) => resolve(path, href),
    findDead: (anchorsOf) => [
      ...missing,
      ...used
        .filter(({ page, anchor }) => anchor !== "" && !anchorsOf.get(page)?.has(anchor))
        .map(({ from, page, anchor }) => `${from}: ${page}.html has no #${anchor}`),
    ],
  };
}

/** Prints the dead links for the authors. */
export function reportDead(dead: readonly string[]): void {
  for (const link of dead) console.error(`A link leads nowhere: ${link}`);
}
