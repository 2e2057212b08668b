// Values in the form that statements and COPY need, and bytes in the form that they return.

/** A value of a statement. Lists are texts from `toList`; bytes are hexadecimal digits for `decode`. */
export type Value = string | number | bigint | boolean | null;

export const toParameter = (value: Value) => (typeof value === "bigint" ? String(value) : value);

/** A list in PostgreSQL's syntax, to be cast: `$1::int8[]`; undefined is null. */
export function toList(values: Iterable<string | bigint | number | undefined>): string {
  return `{${Array.from(values, toItem).join(",")}}`;
}

const toItem = (value: string | bigint | number | undefined) =>
  value === undefined
    ? "NULL"
    : typeof value === "string"
      ? `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
      : String(value);

/** A row of COPY. */
export function toCopyRow(fields: readonly (string | bigint | number | null)[]): string {
  return `${fields.map(toCopyField).join("\t")}\n`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  "\\": "\\\\",
};

const toCopyField = (field: string | bigint | number | null) =>
  field === null ? "\\N" : String(field).replaceAll(/[\t\n\r\\]/g, (one) => ESCAPES[one] ?? one);

// postgres.js reads only hexadecimal digits, but a role or a database may choose the other output format.
export const BYTEA = {
  to: 17,
  from: [17],
  serialize: toBytes,
  parse: (text: string): Buffer =>
    text.startsWith(String.raw`\x`)
      ? Buffer.from(text.slice(2), "hex")
      : Buffer.from(text.replaceAll(ESCAPED, toEscaped), "latin1"),
};

// https://www.postgresql.org/docs/current/datatype-binary.html
const ESCAPED = /\\(?:\\|[0-7]{3})/g;

const toEscaped = (found: string): string =>
  found === String.raw`\\` ? "\\" : String.fromCodePoint(Number.parseInt(found.slice(1), 8));

/** Bytes in PostgreSQL's syntax, to be cast: `$1::bytea`; also a field of COPY. */
export function toBytes(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString("hex")}`;
}
