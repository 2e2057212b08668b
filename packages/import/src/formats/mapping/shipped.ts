// The mapping files that ship with the package: a format each.
import { readdirSync, readFileSync } from "node:fs";
import { parseMappingText } from "./mapping.ts";
import { type FormatFile, parseFormatFile } from "./format-of-mapping.ts";

const FOLDER = new URL("../../../maps/", import.meta.url);

/** By their names. */
export const shipped: readonly FormatFile[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json"))
  .toSorted()
  .map((name) => parseFormatFile(parseMappingText(readFileSync(new URL(name, FOLDER), "utf8"))));
