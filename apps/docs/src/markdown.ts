// Converts Markdown to HTML: GitHub's anchors for headings, syntax highlighting, and tables that scroll separately.
import GithubSlugger from "github-slugger";
import createMarkdownIt, { type MarkdownIt, type Token } from "markdown-it";
import { createHighlighter } from "shiki";

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

export interface Rendered {
  readonly html: string;
  /** In the order of the text; the first one is the title. */
  readonly headings: readonly Heading[];
  /** The first paragraph, as plain text. */
  readonly summary: string;
  /** The text below each heading, for the search. */
  readonly passages: readonly { readonly heading: Heading; readonly text: string }[];
}

/** Converts a link of the source to a link of the page. */
export type LinkResolver = (href: string) => string;

const LANGUAGES = ["http", "ini", "json", "md", "sh", "ts", "tsx", "yaml"];

// High contrast, because comments in the default themes are fainter than WCAG 2.2 requires (4.5 to 1).
const THEMES = { light: "github-light-high-contrast", dark: "github-dark-high-contrast" };

export async function createMarkdown(): Promise<(text: string, toHref: LinkResolver) => Rendered> {
  const highlighter = await createHighlighter({ langs: LANGUAGES, themes: Object.values(THEMES) });
  const toCode = (code: string, language: string) =>
    highlighter.codeToHtml(code, {
      lang: LANGUAGES.includes(language) ? language : "text",
      themes: THEMES,
      defaultColor: "light-dark()",
    });
  const markdown = createMarkdownIt({ html: true, highlight: toCode });
  // Keyboard users must be able to scroll content that does not fit (WCAG 2.1.1).
  markdown.renderer.rules["table_open"] = () =>
    '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>';
  markdown.renderer.rules["table_close"] = () => "</table></div>";
  return (text, toHref) => render(markdown, text, toHref);
}

function render(markdown: MarkdownIt, text: string, toHref: LinkResolver): Rendered {
  const tokens = markdown.parse(text, {});
  const headings = anchorHeadings(tokens);
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const href = token.attrGet("href");
    if (href !== null) token.attrSet("href", toHref(String(href)));
  }
  const first = tokens.findIndex(({ type }) => type === "paragraph_open");
  return {
    html: markdown.renderer.render(tokens, markdown.options, {}),
    headings: headings.map(({ heading }) => heading),
    summary: toPlainText(tokens[first + 1]),
    passages: headings.map(({ heading, at }, index) => ({
      heading,
      text: toPassage(tokens.slice(at + 3, headings[index + 1]?.at)),
    })),
  };
}

function anchorHeadings(tokens: readonly Token[]): { heading: Heading; at: number }[] {
  const slugger = new GithubSlugger();
  return tokens.flatMap((token, at) => {
    if (token.type !== "heading_open") return [];
    const text = toPlainText(tokens[at + 1]);
    const id = slugger.slug(text);
    token.attrSet("id", id);
    return [{ heading: { level: Number(token.tag.slice(1)), id, text }, at }];
  });
}

function toPassage(tokens: readonly Token[]): string {
  const texts = tokens.map((token) =>
    token.type === "fence" ? token.content : toPlainText(token),
  );
  return texts.filter(Boolean).join(" ");
}

function toPlainText(token: Token | undefined): string {
  const parts = token?.children ?? [];
  return parts.map(({ type, content }) => (type === "softbreak" ? " " : content)).join("");
}
