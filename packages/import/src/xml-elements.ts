// The elements at a path of an XML document of any length.
import type { JsonElement } from "./json-elements.ts";
import type { UnfitRow } from "./source-row.ts";
import { type Add, createParser, createTree, put } from "./xml.ts";

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

const addToList: Add = (holder, name, value) => {
  const known = Object.hasOwn(holder, name) ? holder[name] : undefined;
  if (known === undefined) put(holder, name, value);
  else if (Array.isArray(known)) known.push(value);
  else put(holder, name, [known, value]);
};
