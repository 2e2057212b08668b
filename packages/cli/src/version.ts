// Name and version of this program for reports and logs, and the required Node.js version.
import { readFileSync } from "node:fs";

export const PROGRAM = "call-media";

export const readVersion = (): string => readManifest().version;

/** The versions of Node.js that it runs on, such as `>=22.16`. */
export const readEngines = (): string => readManifest().engines.node;

function readManifest(): { readonly version: string; readonly engines: { readonly node: string } } {
  // The path is the same from src and from dist.
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return JSON.parse(text); // this package's own file
}
