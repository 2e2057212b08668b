// The reference, by Redocly, in the frame of the site. Redoc's program is one file that all versions share.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { writeBar, writeHead } from "./layout.ts";
import { REPOSITORY } from "./places.ts";

export interface Reference {
  /** The page. */
  readonly html: string;
  /** The program that the page imports as `redoc.js` from the folder of the first page. */
  readonly program: string;
}

interface ReferenceOptions {
  /** The OpenAPI document, as JSON. */
  readonly document: string;
  readonly title: string;
  /** From the page to the first page: nothing, or `../`. */
  readonly root: string;
}

const SUMMARY =
  "Every operation of the Call Media Retrieval Service: what it takes, what it answers.";

/** Throws an Error when Redocly's page is not built as it was when this was written. */
export async function buildReference(options: ReferenceOptions): Promise<Reference> {
  const built = await runRedocly(options.document);
  const start = between(built, '<script type="module">', "");
  const split = start.indexOf("const __redoc_definition");
  const head = between(built, "</title>", "<body>");
  const body = between(built, "<body>", '<script type="module">');
  if (split < 0) throw new Error("Redocly's page no longer begins by its definition");
  const { root, title } = options;
  return {
    program: withoutRequests(start.slice(0, split)),
    html: `<!doctype html>
<html lang="en">
<head>
${writeHead(title, SUMMARY, root)}
<link rel="stylesheet" href="${root}reference.css">
${keepStyles(head)}
</head>
<body>
${writeBar(root)}
<div id="content" tabindex="-1">
${toFragments(body)}
</div>
<script type="module">
import { hydrate } from "${root === "" ? "./" : root}redoc.js";
${start.slice(split).replace(/<\/script>[^]*$/, "")}</script>
</body>
</html>
`,
  };
}

async function runRedocly(document: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-reference-"));
  try {
    const [input, output] = [join(folder, "openapi.json"), join(folder, "reference.html")];
    await writeFile(input, document);
    const config = `${REPOSITORY}spec/redocly.yaml`;
    const program = join(
      dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")),
      "bin/cli.js",
    );
    const options = [input, "--config", config, "--inlineBundle", "--output", output];
    await promisify(execFile)(process.execPath, [program, "build-docs", ...options]);
    return await readFile(output, "utf8");
  } finally {
    await rm(folder, { recursive: true });
  }
}

function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  const to = end === "" ? text.length : text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`Redocly's page has no ${start} ... ${end}`);
  return text.slice(from + start.length, to);
}

// The head's other parts are the site's own.
function keepStyles(head: string): string {
  return head.match(/<style[^>]*>[^]*?<\/style>/g)?.join("\n") ?? "";
}

// The logo is the one thing that Redoc would load from elsewhere; its name stands in its place.
const LOGO = "https://cdn.redoc.ly/redoc/logo-mini-full.svg";
const NAME =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='44' height='12'%3E%3Ctext y='10' font-family='sans-serif' font-size='11' fill='%23667'%3ERedocly%3C/text%3E%3C/svg%3E";

function withoutRequests(program: string): string {
  if (!program.includes(LOGO)) throw new Error(`Redoc no longer loads ${LOGO}: remove this`);
  return program.replaceAll(LOGO, NAME);
}

// Redoc routes by fragments when it runs, but writes paths until then: the links of a page that is just loading led nowhere.
function toFragments(body: string): string {
  return body.replaceAll(LOGO, NAME).replaceAll(/href="\/([\w/]*)"/g, 'href="#/$1"');
}
