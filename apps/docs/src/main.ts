// The commands of the site: build it, or show it while it is edited.
import { join } from "node:path";
import { buildSite } from "./build.ts";
import { PortTaken, showSite } from "./dev.ts";
import { reportDead } from "./links.ts";
import { SITE } from "./places.ts";

const FOLDER = join(SITE, "dist");

const COMMANDS: Readonly<Record<string, () => Promise<void>>> = {
  build: async () => {
    reportDead(await buildSite(FOLDER));
    console.log(`The site begins at ${join(FOLDER, "index.html")}`);
  },
  dev: async () => {
    await showSite(FOLDER).catch((error: unknown) => {
      if (!(error instanceof PortTaken)) throw error;
      console.error(error.message);
      process.exitCode = 1;
    });
  },
};

const command = COMMANDS[process.argv[2] ?? ""];
if (command === undefined) {
  console.error(`Usage: node src/main.ts ${Object.keys(COMMANDS).join(" | ")}`);
  process.exitCode = 2;
} else await command();
