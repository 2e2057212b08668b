// Links the decision ids in the contract to their descriptions.
import { slug } from "github-slugger";
import { readSource } from "./places.ts";

/** Names a decision, and links to it. */
type Link = (id: string) => string;

/** `root` is the path from the page to the first page: empty, or `../`. Throws an Error for an unknown decision. */
export type DecisionLinker = (document: string, root: string) => string;

const HEADING = /^### (D\d\d) (.+)$/gm;

/** Creates a function that turns each `x-decision` of a JSON document into links at the end of the description. */
export async function createDecisionLinks(): Promise<DecisionLinker> {
  const headings = (await readSource("spec/DECISIONS.md")).matchAll(HEADING);
  const titles = new Map([...headings].map(([, id = "", title = ""]) => [id, title]));
  return (document, root) => {
    const link = (id: string) => {
      const title = titles.get(id);
      if (title === undefined) throw new Error(`spec/DECISIONS.md has no decision ${id}`);
      return `[${id}](${root}decisions.html#${slug(`${id} ${title}`)} "${title}")`;
    };
    return JSON.stringify(JSON.parse(document, (_key, value) => describe(value, link)));
  };
}

function describe(value: unknown, link: Link): unknown {
  if (typeof value !== "object" || value === null || !("x-decision" in value)) return value;
  const { "x-decision": given, ...rest } = value;
  const ids = [given].flat().map(String);
  const said = `${ids.length > 1 ? "Decisions" : "Decision"} ${ids.map(link).join(", ")}.`;
  return {
    ...rest,
    description: "description" in rest ? `${String(rest.description)} ${said}` : said,
  };
}
