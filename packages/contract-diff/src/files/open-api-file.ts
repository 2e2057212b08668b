// An OpenAPI document of one or several files, JSON or YAML, and the file and line of what stands in it.
import { dirname, join } from "node:path";
import { below, isObject, type JsonObject, parsePointer } from "../json.ts";
import { FileFault, readWrittenFile, type WrittenFile } from "./written-file.ts";

/** Where something stands; `line` counts from 1. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
}

export interface OpenApiFile {
  /** The path that was given. */
  readonly file: string;
  /** In one piece: the other files that it refers to stand below `x-files`, by their paths. */
  readonly document: JsonObject;
  /** The place of what stands at a pointer, or of what encloses it where it is in no file. */
  readonly placeOf: (pointer: string) => FilePlace;
}

/** An extension, which means nothing to clients. */
const FILES = "x-files";

/**
 * Reads the document and every file that it refers to.
 *
 * @throws FileFault that names the file and the fault, also for a reference to another host, which is never fetched.
 */
export async function readOpenApiFile(file: string): Promise<OpenApiFile> {
  const files = new Map<string, WrittenFile>();
  const names = new Set([file]);
  // The set grows while it is gone through: each file may name further ones.
  for (const name of names) {
    const written = await readWrittenFile(name);
    const toPointer = (target: string) => toJoinedPointer(target, { name, root: file });
    const value = mapReferences(written.value, (target) => {
      const pointer = toPointer(target);
      const [first, other] = parsePointer(pointer.replace(/^#(?!\/).*/, "#"));
      if (first === FILES && other !== undefined) names.add(other);
      return pointer;
    });
    files.set(name, { ...written, value });
  }
  return joinFiles(file, files);
}

function joinFiles(file: string, files: ReadonlyMap<string, WrittenFile>): OpenApiFile {
  const root = files.get(file);
  const value = root?.value;
  if (root === undefined || !isObject(value))
    throw new FileFault(`${file} is not an OpenAPI document`);
  const others = [...files].filter(([name]) => name !== file);
  const inner = Object.fromEntries(others.map(([name, other]) => [name, other.value]));
  return {
    file,
    document: others.length > 0 ? { ...value, [FILES]: inner } : value,
    placeOf: (pointer) => {
      const keys = parsePointer(pointer);
      const [first, name = "", ...rest] = keys;
      const other = first === FILES ? files.get(name) : undefined;
      return other === undefined
        ? { file, line: root.lineOf(keys) }
        : { file: name, line: other.lineOf(rest) };
    },
  };
}

/** The reference `target` of the file `name` as one into the joined document. */
function toJoinedPointer(
  target: string,
  { name, root }: { readonly name: string; readonly root: string },
): string {
  const [path = "", fragment = ""] = target.split("#", 2);
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(path))
    throw new FileFault(
      `${name} refers to ${target}: references to other hosts are not fetched; save the file next to the document`,
    );
  const file = path === "" ? name : join(dirname(name), decodePath(path));
  return file === root ? `#${fragment}` : `${below(`#/${FILES}`, file)}${fragment}`;
}

/** What is no percent-encoding stands for itself, as in a file that is called "5%.yaml". */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Values are no part of the document's structure: a reference in them is not one. */
const VALUES: ReadonlySet<string> = new Set(["const", "default", "enum", "example", "value"]);

function mapReferences(value: unknown, map: (target: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => mapReferences(item, map));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === "$ref" && typeof inner === "string") return [key, map(inner)];
      return [key, VALUES.has(key) ? inner : mapReferences(inner, map)];
    }),
  );
}
