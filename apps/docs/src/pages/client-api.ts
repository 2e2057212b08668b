// Generates the page of the client's API: each export with its documentation and declaration, from the published types.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript-5";
import { REPOSITORY } from "../places.ts";

const PACKAGE = `${REPOSITORY}packages/client/`;

/** The page in Markdown. Throws an Error if the client is not built. */
export async function writeClientApi(): Promise<string> {
  const { name, publishConfig } = JSON.parse(await readFile(`${PACKAGE}package.json`, "utf8")) as {
    name: string;
    publishConfig: { exports: Readonly<Record<string, string>> };
  };
  const entries = Object.entries(publishConfig.exports).map(([path, module]) => ({
    module: join(name, path),
    file: join(PACKAGE, module.replace(/\.js$/, ".d.ts")),
  }));
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ESNext, skipLibCheck: true },
  );
  const sections = entries.map(({ module, file }) => writeModule(program, module, file));
  return `# API of the client

What \`${name}\` exports, by module. [The client's README](../../packages/client/README.md) shows how it is used.

${sections.join("\n\n")}
`;
}

function writeModule(program: ts.Program, module: string, file: string): string {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const symbol = source && checker.getSymbolAtLocation(source);
  if (symbol === undefined) throw new Error(`${file} is not there: build @call-media/client first`);
  const exported = checker
    .getExportsOfModule(symbol)
    .map((entry) => writeExport(checker, entry))
    .toSorted((a, b) => a.rank - b.rank || a.name.localeCompare(b.name, "en"));
  return [`## ${module}`, ...exported.map(({ text }) => text)].join("\n\n");
}

interface Export {
  readonly name: string;
  /** Functions come first, then classes, then types. */
  readonly rank: number;
  readonly text: string;
}

function writeExport(checker: ts.TypeChecker, entry: ts.Symbol): Export {
  const isAlias = (entry.flags & ts.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(entry) : entry;
  const declarations = symbol.declarations ?? [];
  const code = declarations.map(toCode).join("\n");
  const about = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  const tags = symbol.getJsDocTags(checker).map(writeTag);
  const parts = [`### ${entry.name}`, toMarkdown(about), ...tags, `\`\`\`ts\n${code}\n\`\`\``];
  return {
    name: entry.name,
    rank: declarations.some(ts.isFunctionDeclaration)
      ? 0
      : declarations.some(ts.isClassDeclaration)
        ? 1
        : 2,
    text: parts.filter((part) => part !== "").join("\n\n"),
  };
}

/** The declaration without its comment, which the page shows above it. */
function toCode(declaration: ts.Declaration): string {
  const whole = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return whole
    .getText()
    .replace(/^export declare /, "export ")
    .replaceAll(/^( {4})+/gm, (indent) => indent.slice(indent.length / 2));
}

const TAG_WORDS: Readonly<Record<string, string>> = { throws: "Throws", returns: "Returns" };

function writeTag({ name, text }: ts.JSDocTagInfo): string {
  const words = toMarkdown(ts.displayPartsToString(text));
  if (name === "example") return words;
  if (name !== "param") return `${TAG_WORDS[name] ?? name} ${words}`;
  return words.replace(/^(\S+)\s+(?:- )?/, "`$1`: ");
}

/** Documentation is already Markdown, except for links to declarations. */
function toMarkdown(text: string): string {
  return text.replaceAll(/\{@link (\S+?)\}/g, "`$1`");
}
