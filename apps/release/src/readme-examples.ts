// Reads the TypeScript examples of a README as its reader does: each continues those above it.

const IMPORT = /^import\s+(?:type\s+)?\{[^}]*\}\s+from\s+"[^"]+";$/gm;

// Names that examples assume, and functions that their readers write themselves. All other names come from the README.
const GIVEN = `
declare const credentials: { secretID: string; secretKey: string };
declare const secretID: string, secretKey: string, call_id: string;
declare function save(what: unknown): Promise<void>;
declare function keep(what: unknown): Promise<void>;`;

/**
 * Joins all examples to one program with the line numbers of the README. Each example is a block within the one before. It sees
 * the earlier declarations and may declare the same names again. Imports move to the top, each once.
 */
export function toProgram(readme: string): string {
  let depth = 0;
  const lines = splitFences(readme).map(({ text, isCode, isOpening }) => {
    if (isOpening) depth += 1;
    return isOpening ? "{" : isCode ? text : "";
  });
  const body = lines.join("\n");
  const imports = new Set(body.match(IMPORT)?.map((found) => found.replaceAll(/\s+/g, " ")));
  const rest = body.replaceAll(IMPORT, (found) => found.replaceAll(/[^\n]/g, ""));
  const given = GIVEN.replaceAll("\n", " ");
  return `${[...imports].join(" ")} export {};${given}${rest}${"}".repeat(depth)}\n`;
}

/** The first example, verbatim; undefined if the README has none. */
export function findFirstExample(readme: string): string | undefined {
  return /^```ts\n([^]*?)^```$/m.exec(readme)?.[1];
}

interface Line {
  readonly text: string;
  /** True within a block of TypeScript. */
  readonly isCode: boolean;
  readonly isOpening: boolean;
}

function splitFences(readme: string): Line[] {
  let isCode = false;
  return readme.split("\n").map((text) => {
    const isOpening = text === "```ts";
    const line = { text, isCode: isCode && text !== "```", isOpening };
    isCode = isOpening || line.isCode;
    return line;
  });
}
