// Reads a Markdown file as a code host shows it: its links, and the anchors that others link to.
import GithubSlugger from "github-slugger";
import { marked, type Token, type Tokens } from "marked";

export interface MarkdownFile {
  /** The targets of its links and images, unchanged. */
  readonly links: readonly string[];
  /** The anchors of its headings, and those written as HTML. */
  readonly anchors: ReadonlySet<string>;
}

export function parseMarkdown(text: string): MarkdownFile {
  const links: string[] = [];
  const anchors = new Set<string>();
  const slugger = new GithubSlugger();
  // Nothing here is asynchronous.
  void marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === "link" || token.type === "image") links.push((token as Tokens.Link).href);
    if (token.type === "heading") anchors.add(slugger.slug(toText(token)));
    if (token.type === "html")
      for (const [, id = ""] of token.raw.matchAll(/\bid="([^"]+)"/g)) anchors.add(id);
  });
  return { links, anchors };
}

/** The text of a token, without markup. */
function toText(token: Token): string {
  if ("tokens" in token && token.tokens !== undefined) return token.tokens.map(toText).join("");
  return "text" in token ? String(token.text) : "";
}
