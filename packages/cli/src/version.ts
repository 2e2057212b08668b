// Name and version of this program, as reports and logs give them, and the Node.js that it needs.
import { readFileSync } from "node:fs";

export const PROGRAM = "call-media";

export const readVersion = (): string => readManifest().version;

/** The versions of Node.js that it runs on, such as `>=22.16`. */
export const readEngines = (): string => readManifest().engines.node;

function readManifest(): { readonly version: string; readonly engines: { readonly node: string } } {
  // As far away from src as from dist.
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return JSON.parse(text); // this package's own file
}
