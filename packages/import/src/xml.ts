// XML: the elements at a path of a document of any length, as objects. There is no DTD, and no entity beyond the five of XML.
import { SaxesParser } from "saxes";
import type { JsonElement } from "./json-elements.ts";
import type { UnfitRow } from "./source-row.ts";

/** An element with attributes or elements in it: those by their names, of which repeated ones are a list; attributes as `@name`. */
export class XmlElement {
  [name: string]: unknown;
}

// A text in which "<ann> hello" stands is a chat.
const BEGINNING = /^\s*(?:<\?xml\b|<!--|<[\p{L}_][\p{L}\p{N}_:.-]*(?:\s+[\w:.-]+\s*=[^>]*)?>\s*<)/u;

export const isXml = (text: string): boolean => BEGINNING.test(text);

// An element is held in memory.
const MAX_ELEMENT_LENGTH = 64 * 1024 * 1024;
const KEPT_LENGTH = 65_536;

/**
 * The elements at `path`, from the root inwards: `cdr` are those of that name in the root, `*` all, "" is the root. After a fault of
 * syntax the rest of the file is one rejected row.
 */
export async function* readXmlElements(
  chunks: AsyncIterable<Buffer>,
  path: string,
): AsyncGenerator<JsonElement | UnfitRow> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const finder = createFinder(path === "" ? [] : path.split("."));
  const read = (text: () => string, isEnd: boolean) => {
    try {
      return { found: finder.find(text(), isEnd), fault: undefined };
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      return { found: finder.take(), fault: `not valid XML: ${fault.replace(/^\d+:\d+: /, "")}` };
    }
  };
  for await (const chunk of chunks) {
    const { found, fault } = read(() => decoder.decode(chunk, { stream: true }), false);
    yield* found;
    if (fault === undefined) continue;
    yield finder.toRest(fault);
    return;
  }
  const { found, fault } = read(() => decoder.decode(), true);
  yield* found;
  if (fault !== undefined) yield finder.toRest(fault);
}

/** The root of a document of which this is the beginning; of elements with one name the first alone. */
export function parseXmlBeginning(text: string): unknown {
  const tree = createTree((holder, name, value) => {
    if (!Object.hasOwn(holder, name)) holder[name] = value;
  });
  const parser = createParser({ open: tree.open, text: tree.text, close: tree.close });
  try {
    parser.write(text);
  } catch {
    // What stands before the fault tells the format.
  }
  return tree.end();
}

function createFinder(path: readonly string[]) {
  const names: string[] = [];
  let tree: ReturnType<typeof createTree> | undefined;
  let found: (JsonElement | UnfitRow)[] = [];
  let held = "";
  let from = 0; // offset of what is held
  let [start, line] = [0, 1];
  const isWanted = () =>
    names.length === path.length + 1 &&
    path.every((step, at) => step === "*" || step === names[at + 1]);
  const parser = createParser({
    begin: () => {
      if (tree === undefined)
        [start, line] = [held.lastIndexOf("<", parser.position - from) + from, parser.line];
    },
    open: (name, attributes) => {
      names.push(name);
      if (tree === undefined && isWanted()) tree = createTree(addToList);
      tree?.open(name, attributes);
    },
    text: (text) => tree?.text(text),
    close: () => {
      if (tree !== undefined && isWanted()) {
        const raw = held.slice(start - from, parser.position - from);
        found.push({ line, raw, value: tree.end() });
        tree = undefined;
      } else tree?.close();
      names.pop();
    },
  });
  const take = () => found.splice(0);
  return {
    take,
    find: (text: string, isEnd: boolean) => {
      held += text;
      parser.write(text);
      if (isEnd) parser.close();
      const kept = tree === undefined ? Math.max(parser.position - KEPT_LENGTH, from) : start;
      held = held.slice(kept - from);
      from = kept;
      if (held.length > MAX_ELEMENT_LENGTH) throw new Error("a record is too long");
      return take();
    },
    toRest: (fault: string): UnfitRow => ({
      line: tree === undefined ? parser.line : line,
      raw: held.slice(tree === undefined ? 0 : start - from).slice(0, KEPT_LENGTH),
      reason: `${fault}; nothing was read from here on`,
    }),
  };
}

interface Events {
  readonly begin?: () => void;
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text: (text: string) => void;
  readonly close: () => void;
}

/** Its `write` throws for a fault of syntax. */
function createParser({ begin, open, text, close }: Events): SaxesParser {
  const parser = new SaxesParser();
  if (begin !== undefined) parser.on("opentagstart", begin);
  parser.on("opentag", ({ name, attributes }) => open(name, attributes));
  parser.on("text", text);
  parser.on("cdata", text);
  parser.on("closetag", close);
  return parser;
}

type Add = (holder: XmlElement, name: string, value: unknown) => void;

const addToList: Add = (holder, name, value) => {
  const known = Object.hasOwn(holder, name) ? holder[name] : undefined;
  if (known === undefined) holder[name] = value;
  else if (Array.isArray(known)) known.push(value);
  else holder[name] = [known, value];
};

/** Builds the value of an element: its text, if it has neither attributes nor elements. */
function createTree(add: Add) {
  const open: { readonly name: string; readonly element: XmlElement; text: string }[] = [];
  const close = (): unknown => {
    const { name = "", element = new XmlElement(), text = "" } = open.pop() ?? {};
    const isText = Object.keys(element).length === 0;
    if (!isText && text.trim() !== "") element["#text"] = text.trim();
    const value = isText ? text.trim() : element;
    const holder = open.at(-1)?.element;
    if (holder !== undefined) add(holder, name, value);
    return value;
  };
  return {
    open: (name: string, attributes: Readonly<Record<string, string>>) => {
      const element = new XmlElement();
      for (const [key, value] of Object.entries(attributes)) element[`@${key}`] = value;
      open.push({ name, element, text: "" });
    },
    text: (text: string) => {
      const last = open.at(-1);
      if (last !== undefined) last.text += text;
    },
    close,
    /** Closes all that is open, and gives the outermost. */
    end: (): unknown => {
      let value = close();
      while (open.length > 0) value = close();
      return value;
    },
  };
}
