// The commands of the site: build it, or show it while it is written.
import { join } from "node:path";
import { buildSite } from "./build.ts";
import { showSite } from "./dev.ts";
import { reportDead } from "./links.ts";
import { SITE } from "./places.ts";

const FOLDER = join(SITE, "dist");

const COMMANDS: Readonly<Record<string, () => Promise<void>>> = {
  build: async () => {
    reportDead(await buildSite(FOLDER));
    console.log(`The site begins at ${join(FOLDER, "index.html")}`);
  },
  dev: () => showSite(FOLDER),
};

const command = COMMANDS[process.argv[2] ?? ""];
if (command === undefined) {
  console.error(`Usage: node src/main.ts ${Object.keys(COMMANDS).join(" | ")}`);
  process.exitCode = 2;
} else await command();
