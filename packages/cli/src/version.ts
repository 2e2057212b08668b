// Name and version of this program, as reports and logs give them, and the Node.js that it needs.
import { readFileSync } from "node:fs";

export const PROGRAM = "call-media";

export const readVersion = (): string => readManifest().version;

/** What is wrong with the Node.js that runs this; undefined when it is new enough. */
export function findOldNode(): string | undefined {
  const needed = readManifest().engines.node.replace(">=", "");
  const { node } = process.versions;
  return isOlder(node, needed)
    ? `${PROGRAM}: needs Node.js ${needed} or newer; this is Node.js ${node}`
    : undefined;
}

/** Number by number: `localeCompare` would first load the rules of a language, which takes 8 ms of the 15 that help takes. */
function isOlder(version: string, needed: string): boolean {
  const toNumbers = (text: string) => text.split(".").map(Number);
  const [own, least] = [toNumbers(version), toNumbers(needed)];
  const place = least.findIndex((number, at) => number !== own[at]);
  return place >= 0 && Number(own[place]) < Number(least[place]);
}

function readManifest(): { readonly version: string; readonly engines: { readonly node: string } } {
  // As far away from src as from dist.
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return JSON.parse(text); // this package's own file
}
