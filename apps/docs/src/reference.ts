// Builds the reference with Redocly in the frame of the site. All versions share Redoc's script in one file.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { document as contract } from "@call-media/api";
import { writeBar, writeHead } from "./layout.ts";
import { REPOSITORY } from "./places.ts";
import { HERE, type Version, writeNotice, writeVersionMenu } from "./versions.ts";

export interface Reference {
  /** The rendered page, which can be read before Redoc runs. */
  readonly html: string;
  /** Redoc, which every page imports as `redoc.js` from the folder of the first page. */
  readonly program: string;
  /** The page of a released document, one folder below the first page. Redoc renders it when it is opened. */
  readonly writeReleased: (document: string, version: Version) => string;
}

const MODULE = '<script type="module">';

// Redoc renders an operation when it is opened, so the built page contains only the introduction.
const NO_SCRIPT = `<noscript><p>The operations are shown by JavaScript, which is switched off here. The contract as a document is at /openapi.yaml of every service.</p></noscript>`;

const SUMMARY =
  "Every operation of the Call Media Retrieval Service: what it takes, what it answers.";

/**
 * `document` is JSON; `versions` are all versions with a page. Throws an Error if Redocly's output does not have the expected
 * structure.
 */
export async function buildReference(
  document: string,
  versions: readonly Version[],
): Promise<Reference> {
  const built = await runRedocly(document);
  const body = toFragments(between(built, "<body>", MODULE));
  const [program, start] = split(built.slice(built.indexOf(MODULE) + MODULE.length));
  const options = between(start, "const __redoc_options = ", ";\n");
  const styles = between(built, "</title>", "<body>").match(/<style[^>]*>[^]*?<\/style>/g) ?? [];
  const common = { versions, options };
  return {
    program: withoutRequests(program),
    html: writeFrame({
      ...common,
      version: HERE,
      root: "",
      styles: styles.join("\n"),
      body,
      document,
    }),
    writeReleased: (released, version) =>
      writeFrame({
        ...common,
        version,
        root: "../",
        styles: "",
        body: `${between(body, '<div hidden="">', "</div>")}<div id="redoc"></div>`,
        document: released,
      }),
  };
}

interface Frame {
  readonly version: Version;
  readonly versions: readonly Version[];
  /** The path from the page to the first page: empty, or `../`. */
  readonly root: string;
  readonly styles: string;
  readonly body: string;
  readonly document: string;
  readonly options: string;
}

function writeFrame({ version, versions, root, styles, body, document, options }: Frame): string {
  return `<!doctype html>
<html lang="en">
<head>
${writeHead(`${contract.info.title} ${version.version}`, SUMMARY, root)}
<link rel="stylesheet" href="${root}reference.css">
${styles}
</head>
<body>
${writeBar(root, writeVersionMenu(versions, version, root))}
<div id="content" tabindex="-1">
${writeNotice(version, root)}
${NO_SCRIPT}
${body}
</div>
<script type="module">
import { hydrate } from "${root === "" ? "./" : root}redoc.js";
hydrate(${toScript(document)}, ${options}, document.getElementById("redoc"));
</script>
</body>
</html>
`;
}

// "</script" would end the script, even within a text.
const toScript = (json: string): string =>
  JSON.stringify(JSON.parse(json)).replaceAll("<", String.raw`\u003c`);

// Redocly's script contains Redoc first, then the document.
function split(script: string): [string, string] {
  const at = script.indexOf("const __redoc_definition");
  if (at < 0) throw new Error("Redocly's page no longer begins by its definition");
  return [script.slice(0, at), script.slice(at)];
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
  const to = text.indexOf(end, from + start.length);
  if (from < 0 || to < 0) throw new Error(`Redocly's page has no ${start} ... ${end}`);
  return text.slice(from + start.length, to);
}

// The logo is the only resource that Redoc would load from another host; its name replaces it.
const LOGO = "https://cdn.redoc.ly/redoc/logo-mini-full.svg";
const NAME =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='44' height='12'%3E%3Ctext y='10' font-family='sans-serif' font-size='11' fill='%237a879a'%3ERedocly%3C/text%3E%3C/svg%3E";

function withoutRequests(program: string): string {
  if (!program.includes(LOGO)) throw new Error(`Redoc no longer loads ${LOGO}: remove this`);
  return program.replaceAll(LOGO, NAME);
}

// At run time Redoc uses fragments as routes, but its HTML has paths: links of a page still loading would be dead.
function toFragments(body: string): string {
  return body.replaceAll(LOGO, NAME).replaceAll(/href="\/([\w/]*)"/g, 'href="#/$1"');
}
