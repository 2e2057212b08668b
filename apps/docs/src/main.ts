// The commands of the site: build it, show it while it is written, keep the reference of a version.
import { join } from "node:path";
import { buildSite } from "./build.ts";
import { SITE } from "./places.ts";
import { keepReleased } from "./released.ts";

const COMMANDS: Readonly<Record<string, () => Promise<void>>> = {
  build: () => buildSite(join(SITE, "dist")),
  keep: keepReleased,
};

const command = COMMANDS[process.argv[2] ?? ""];
if (command === undefined) {
  console.error(`Usage: node src/main.ts ${Object.keys(COMMANDS).join(" | ")}`);
  process.exitCode = 2;
} else await command();
