// An OpenAPI document of one or several files, JSON or YAML, and the file and line of what stands in it.
import { basename, dirname, join, posix } from "node:path";
import { below, isObject, type JsonObject, parsePointer } from "../json.ts";
import { FileFault, readRemoteFile, readWrittenFile, type WrittenFile } from "./written-file.ts";

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

export interface ReadOptions {
  /** Whether references to other hosts, by `http:` and `https:`, are fetched; default false. */
  readonly allowRemote?: boolean;
}

/**
 * Reads the document and every file that it refers to.
 *
 * @throws FileFault that names the file, the line and the fault, also for a reference to another host that may not be fetched.
 */
export async function readOpenApiFile(
  file: string,
  { allowRemote = false }: ReadOptions = {},
): Promise<OpenApiFile> {
  const [folder, root] = [dirname(file), basename(file)];
  const files = new Map<string, WrittenFile>();
  const names = new Set([root]);
  // The set grows while it is gone through: each file may name further ones.
  for (const name of names) {
    const shown = isRemote(name) ? name : join(folder, name);
    const parsed = await (isRemote(name) ? readRemoteFile(name) : readWrittenFile(shown));
    const value = mapReferences(parsed.value, (target) => {
      const [path = "", fragment = ""] = target.split("#", 2);
      const fault = isRemote(name) ? undefined : findFault(path, allowRemote);
      if (fault !== undefined) {
        const line = parsed.lineOf(findReference(parsed.value, target) ?? []);
        throw new FileFault(`${shown}:${line} refers to ${target}: ${fault}`);
      }
      const other = path === "" ? name : toName(name, path);
      names.add(other);
      return other === root ? `#${fragment}` : `${below(`#/${FILES}`, other)}${fragment}`;
    });
    files.set(name, { ...parsed, value });
  }
  return joinFiles({ folder, root, files });
}

const isRemote = (name: string): boolean => /^https?:\/\//i.test(name);

/** With slashes on every system, and from the document's folder, wherever that is; of another host the whole URL. */
function toName(from: string, path: string): string {
  if (isRemote(path)) return path;
  if (isRemote(from)) return new URL(path, from).href;
  return posix.join(posix.dirname(from), decodePath(path));
}

interface Files {
  readonly folder: string;
  readonly root: string;
  readonly files: ReadonlyMap<string, WrittenFile>;
}

function joinFiles({ folder, root, files }: Files): OpenApiFile {
  const file = join(folder, root);
  const { value, lineOf } = files.get(root) ?? {};
  if (lineOf === undefined || !isObject(value))
    throw new FileFault(`${file} is not an OpenAPI document`);
  const others = [...files].filter(([name]) => name !== root);
  const inner = Object.fromEntries(others.map(([name, other]) => [name, other.value]));
  return {
    file,
    document: others.length > 0 ? { ...value, [FILES]: inner } : value,
    placeOf: (pointer) => {
      const keys = parsePointer(pointer);
      const [first, name = "", ...rest] = keys;
      const other = first === FILES ? files.get(name) : undefined;
      return other === undefined
        ? { file, line: lineOf(keys) }
        : { file: isRemote(name) ? name : join(folder, name), line: other.lineOf(rest) };
    },
  };
}

function findFault(path: string, allowRemote: boolean): string | undefined {
  if (isRemote(path))
    return allowRemote
      ? undefined
      : "references to other hosts are not fetched; save the file next to the document, or allow it by --allow-remote of call-media check";
  return /^[a-z][a-z\d+.-]*:|^\/\//i.test(path)
    ? "only files and http(s) URLs can be referred to"
    : undefined;
}

/** The keys that lead to a reference. */
function findReference(value: unknown, target: string): string[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "$ref" && inner === target) return [key];
    const rest = findReference(inner, target);
    if (rest !== undefined) return [key, ...rest];
  }
  return undefined;
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

/** What holds names that the author gave, which may be called as a keyword is. */
const NAMES: ReadonlySet<string> = new Set(
  "$defs callbacks definitions dependentSchemas examples headers links parameters pathItems patternProperties properties requestBodies responses schemas".split(
    " ",
  ),
);

/** `isNamed`: whether the keys of the value are names. */
function mapReferences(value: unknown, map: (target: string) => string, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((item) => mapReferences(item, map));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === "$ref" && typeof inner === "string") return [key, map(inner)];
      // Neither is one in an extension, which may refer to a page of text.
      if (!isNamed && (VALUES.has(key) || key.startsWith("x-"))) return [key, inner];
      return [key, mapReferences(inner, map, !isNamed && NAMES.has(key))];
    }),
  );
}
