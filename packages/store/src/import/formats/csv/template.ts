// Templates of a mapping: text in which {Column} stands for the value of that column and {{ for a brace.
import { ImportError } from "../../import-options.ts";

/** The text a record gives; null when the template names columns and all of them are null. */
export type Template = (values: readonly string[]) => string | null;

interface Part {
  readonly text: string;
  readonly isColumn: boolean;
}

/** A template that is not yet bound to the columns of a file. */
export interface KeyedTemplate {
  /** Where it stands in the mapping, for messages. */
  readonly key: string;
  readonly template: readonly Part[];
}

const PART = /\{\{|\{([^{}]*)\}|[^{]+|\{/g;

/** Throws `ImportError`, naming `key`, for a brace that is not closed. */
export function parseTemplate(key: string, text: string): KeyedTemplate {
  const template = [...text.matchAll(PART)].map(([whole, column]) => {
    if (column !== undefined) return { text: column.trim(), isColumn: true };
    if (whole === "{")
      throw new ImportError(
        `${key}: "{" is not closed in "${text}"; write {{ for the brace itself`,
      );
    return { text: whole === "{{" ? "{" : whole, isColumn: false };
  });
  return { key, template };
}

/** Throws `ImportError`, naming its key, for a column that the file does not have exactly once. */
export function bindTemplate(
  { key, template }: KeyedTemplate,
  columns: readonly string[],
  nulls: ReadonlySet<string>,
): Template {
  const parts = template.map(({ text, isColumn }) =>
    isColumn ? findColumn(key, text, columns) : text,
  );
  const indexes = parts.filter((part) => typeof part === "number");
  const isNull = (value: string | undefined) => value === undefined || nulls.has(value);

  return (values) => {
    if (indexes.length > 0 && indexes.every((index) => isNull(values[index]))) return null;
    let text = "";
    for (const part of parts) {
      const value = typeof part === "string" ? part : values[part];
      if (value !== undefined && (typeof part === "string" || !nulls.has(value))) text += value;
    }
    return text;
  };
}

function findColumn(key: string, column: string, columns: readonly string[]): number {
  const index = columns.indexOf(column);
  if (index === -1)
    throw new ImportError(
      `${key}: the file has no column "${column}"; it has ${columns.join(", ")}`,
    );
  if (columns.indexOf(column, index + 1) !== -1)
    throw new ImportError(`${key}: the file has several columns "${column}"`);
  return index;
}
