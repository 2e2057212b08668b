// Templates of a mapping: text in which {Name} stands for a value of the record and {{ for a brace.
import { ImportError } from "../../import-error.ts";

interface Part {
  readonly text: string;
  readonly isName: boolean;
}

/** A template that is not yet bound to the records of a file. */
export interface KeyedTemplate {
  /** Where it stands in the mapping, for messages. */
  readonly key: string;
  readonly template: readonly Part[];
}

/**
 * Finds what a name stands for in a record: its text, undefined for no value. Throws `ImportError`, naming `key`, for a name
 * that no record of the file can have.
 */
export type Find<R> = (name: string, key: string) => (record: R) => string | undefined;

/** The text a record gives; undefined when the template has names and none of them has a value. */
export type Template<R> = (record: R) => string | undefined;

/** The names in it. */
export const listNamesIn = ({ template }: Pick<KeyedTemplate, "template">): readonly string[] =>
  template.filter(({ isName }) => isName).map(({ text }) => text);

const PART = /\{\{|\{([^{}]*)\}|[^{]+|\{/g;

/** Throws `ImportError`, naming `key`, for a brace that is not closed. */
export function parseTemplate(key: string, text: string): KeyedTemplate {
  const template = [...text.matchAll(PART)].map(([whole, name]) => {
    if (name !== undefined) return { text: name.trim(), isName: true };
    if (whole === "{")
      throw new ImportError(
        `${key}: "{" is not closed in "${text}"; write {{ for the brace itself`,
      );
    return { text: whole === "{{" ? "{" : whole, isName: false };
  });
  return { key, template };
}

/** Throws `ImportError`, naming its key, for a name that cannot be found. */
export function bindTemplate<R>({ key, template }: KeyedTemplate, find: Find<R>): Template<R> {
  const parts = template.map(({ text, isName }) => (isName ? find(text, key) : text));
  const [only] = parts;
  if (parts.length === 1 && typeof only === "function") return only;
  const hasNames = template.some(({ isName }) => isName);

  return (record) => {
    let text = "";
    let isKnown = !hasNames;
    for (const part of parts) {
      const value = typeof part === "string" ? part : part(record);
      if (value === undefined) continue;
      text += value;
      isKnown ||= typeof part !== "string";
    }
    return isKnown ? text.trim() : undefined;
  };
}
