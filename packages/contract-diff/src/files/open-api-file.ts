// An OpenAPI document of one or several files, JSON or YAML, with the file and line of each part.
import { basename, dirname, join, posix } from "node:path";
import { below, isObject, type JsonObject, parsePointer } from "../json.ts";
import { isSwagger, toOpenApi, toSwaggerKeys } from "./swagger.ts";
import { FileFault, readRemoteFile, readWrittenFile, type WrittenFile } from "./written-file.ts";

/** A place in a file; `line` counts from 1. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
}

export interface OpenApiFile {
  /** The path as given. */
  readonly file: string;
  /** The complete document: files that it refers to are below `x-files`, by path. */
  readonly document: JsonObject;
  /** The place of a pointer's target. If the target is in no file, the place of the enclosing part. */
  readonly placeOf: (pointer: string) => FilePlace;
  /** True if it was written in Swagger 2.0 and is read as OpenAPI 3.0. */
  readonly isConverted?: true;
}

/** An extension, which means nothing to clients. */
const FILES = "x-files";

export interface ReadOptions {
  /** Fetches references to other hosts by `http:` and `https:`; default false. */
  readonly allowRemote?: boolean;
}

/**
 * Reads the document and every file that it refers to.
 *
 * @throws FileFault with the file, the line and the fault, also for a reference to another host if `allowRemote` is false.
 */
export async function readOpenApiFile(
  file: string,
  { allowRemote = false }: ReadOptions = {},
): Promise<OpenApiFile> {
  const [folder, root] = [dirname(file), basename(file)];
  const files = new Map<string, WrittenFile>();
  const names = new Set([root]);
  // The set grows during the loop: each file may name further ones.
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

/** Relative to the document's folder, with slashes on every system. For another host, the complete URL. */
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
  const isConverted = isSwagger(value);
  const others = [...files].filter(([name]) => name !== root);
  const inner = Object.fromEntries(others.map(([name, other]) => [name, other.value]));
  const written = others.length > 0 ? { ...value, [FILES]: inner } : value;
  return {
    file,
    document: isConverted ? convert(written, file) : written,
    ...(isConverted && { isConverted }),
    placeOf: (pointer) => {
      const keys = isConverted ? toSwaggerKeys(parsePointer(pointer)) : parsePointer(pointer);
      const [first, name = "", ...rest] = keys;
      const other = first === FILES ? files.get(name) : undefined;
      return other === undefined
        ? { file, line: lineOf(keys) }
        : { file: isRemote(name) ? name : join(folder, name), line: other.lineOf(rest) };
    },
  };
}

function convert(document: JsonObject, file: string): JsonObject {
  try {
    return toOpenApi(document);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new FileFault(
      `${file} is Swagger 2.0 and cannot be read as OpenAPI 3.0: ${why}. Convert it to OpenAPI 3 and give that file`,
      { cause: error },
    );
  }
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

/** A text that is not percent-encoded is returned unchanged, for example a file name such as "5%.yaml". */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Keywords whose value is data: a `$ref` in it is not a reference. */
const VALUES: ReadonlySet<string> = new Set(["const", "default", "enum", "example", "value"]);

/** Keywords that contain names chosen by the author, which may be equal to a keyword. */
const NAMES: ReadonlySet<string> = new Set(
  "$defs callbacks definitions dependentSchemas examples headers links parameters pathItems patternProperties properties requestBodies responses schemas".split(
    " ",
  ),
);

/** `isNamed`: true if the keys of the value are names. */
function mapReferences(value: unknown, map: (target: string) => string, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((item) => mapReferences(item, map));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === "$ref" && typeof inner === "string") return [key, map(inner)];
      // Extensions are skipped too: they may refer to a page of text.
      if (!isNamed && (VALUES.has(key) || key.startsWith("x-"))) return [key, inner];
      return [key, mapReferences(inner, map, !isNamed && NAMES.has(key))];
    }),
  );
}
