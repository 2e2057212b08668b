// Generates the page of apps/examples: a description of each program, and its complete text.
import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import { readSource, REPOSITORY } from "../places.ts";

const LANGUAGES: Readonly<Record<string, string>> = { ".py": "python", ".ts": "ts", ".tsx": "tsx" };

/** The page in Markdown. */
export async function writeExamples(): Promise<string> {
  const folder = `${REPOSITORY}apps/examples/`;
  const paths = await readdir(folder, { recursive: true });
  const programs = paths.filter((path) => LANGUAGES[extname(path)] !== undefined).toSorted();
  const sections = programs.map(async (path) => {
    const text = await readFile(folder + path, "utf8");
    return `## ${path}\n\n\`\`\`${LANGUAGES[extname(path)]}\n${text}\`\`\`\n`;
  });
  return [await readSource("apps/examples/README.md"), ...(await Promise.all(sections))].join("\n");
}
