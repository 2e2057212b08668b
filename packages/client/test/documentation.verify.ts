// What is exported says what it is, where an editor shows it; what is called has an example.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";
// TypeScript 7 has no interface for programs.
import ts from "typescript-5";

const toPath = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const manifest: { readonly exports: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(toPath("package.json"), "utf8"),
);
const doors = Object.entries(manifest.exports);
const program = ts.createProgram({
  rootNames: doors.map(([, file]) => toPath(file)),
  options: {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    strict: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ["node"],
  },
});
const checker = program.getTypeChecker();

test.each(doors)("every export of %s", (_, file) => {
  const source = program.getSourceFile(toPath(file));
  const door = source && checker.getSymbolAtLocation(source);
  const symbols = (door === undefined ? [] : checker.getExportsOfModule(door))
    .map(resolve)
    .filter((symbol) => !isGenerated(symbol));
  expect(symbols.length).toBeGreaterThan(0);
  const lacking = symbols.flatMap((symbol) => [
    ...(symbol.getDocumentationComment(checker).length > 0 ? [] : [`${symbol.name}: words`]),
    ...(isCalled(symbol) && !hasExample(symbol) ? [`${symbol.name}: an example`] : []),
  ]);
  expect(lacking).toEqual([]);
});

function resolve(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The words on these are those of the contract, within them. */
const isGenerated = ({ declarations = [] }: ts.Symbol) =>
  declarations.some((one) => one.getSourceFile().fileName.includes("/generated/"));

const isCalled = ({ flags }: ts.Symbol) => (flags & ts.SymbolFlags.Function) !== 0;

const hasExample = (symbol: ts.Symbol) =>
  symbol.getJsDocTags(checker).some(({ name }) => name === "example");
