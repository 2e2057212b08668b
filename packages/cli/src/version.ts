// Name and version of this program, as reports and logs give them.
import { readFileSync } from "node:fs";

export const PROGRAM = "call-media";

export function readVersion(): string {
  // As far away from src as from dist.
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version; // this package's own file
}
