// XML as objects, without DTDs and with the five entities of XML only.
import { SaxesParser } from "saxes";

/** An element with attributes or elements in it: those by their names, of which repeated ones are a list; attributes as `@name`. */
export class XmlElement {
  [name: string]: unknown;
}

// A text in which "<ann> hello" stands is a chat.
const BEGINNING = /^\s*(?:<\?xml\b|<!--|<[\p{L}_][\p{L}\p{N}_:.-]*(?:\s+[\w:.-]+\s*=[^>]*)?>\s*<)/u;

export const isXml = (text: string): boolean => BEGINNING.test(text);

/** The root of a document of which this is the beginning; of elements with one name the first alone. */
export function parseXmlBeginning(text: string): unknown {
  const tree = createTree((holder, name, value) => {
    if (!Object.hasOwn(holder, name)) put(holder, name, value);
  });
  const parser = createParser({ open: tree.open, text: tree.text, close: tree.close });
  try {
    parser.write(text);
  } catch {
    // The text before the fault shows the format.
  }
  return tree.end();
}

interface Events {
  readonly begin?: () => void;
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text: (text: string) => void;
  readonly close: () => void;
}

/** Its `write` throws for a fault of syntax. */
export function createParser({ begin, open, text, close }: Events): SaxesParser {
  const parser = new SaxesParser();
  if (begin !== undefined) parser.on("opentagstart", begin);
  parser.on("opentag", ({ name, attributes }) => open(name, attributes));
  parser.on("text", text);
  parser.on("cdata", text);
  parser.on("closetag", close);
  return parser;
}

/** Also of the name `__proto__`, which an assignment would take for something else. */
export const put: Add = (holder, name, value) =>
  Object.defineProperty(holder, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });

export type Add = (holder: XmlElement, name: string, value: unknown) => void;

/** Builds the value of an element: its text, if it has neither attributes nor elements. */
export function createTree(add: Add) {
  const open: { readonly name: string; readonly element: XmlElement; text: string }[] = [];
  let outermost: unknown;
  const close = (): void => {
    const last = open.pop();
    if (last === undefined) return;
    const { name, element, text } = last;
    const isText = Object.keys(element).length === 0;
    if (!isText && text.trim() !== "") element["#text"] = text.trim();
    outermost = isText ? text.trim() : element;
    const holder = open.at(-1)?.element;
    if (holder !== undefined) add(holder, name, outermost);
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
      while (open.length > 0) close();
      return outermost;
    },
  };
}
