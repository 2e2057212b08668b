// `call-media-server reindex`: rebuilds the search index of an archive from its records.
import { openMaintenance } from "@call-media/store/open";
import type { Command } from "commander";
import { console, toCounted } from "@call-media/terminal";
import { createProgress } from "../command-line/progress.ts";
import { recorded } from "../command-line/recorded.ts";
import { addPlaces, type PlaceFlags, toPlaces, unable } from "../command-line/places.ts";

const HELP = `
Use it when "doctor" says that the search index is damaged or does not fit the calls. Records and recordings are left
as they are. The service may keep running, and searches the old index until the new one is complete; imports, backups
and purges may not run meanwhile. It takes some minutes for millions of calls, and as much disk space as the index.

  $ call-media-server reindex --data ./archive

Exit code: 0 the index is new, 1 nothing was changed.`;

export function configureReindex(command: Command): void {
  addPlaces(command)
    .addHelpText("after", HELP)
    .action(async (flags: PlaceFlags) => {
      using progress = createProgress();
      const archive = await openMaintenance(toPlaces(flags));
      const act = { operation: "reindex", asked: {} } as const;
      const toEnding = (calls: number) => ({ counts: { calls } });
      const calls = await recorded(
        { log: archive, ...act, toEnding },
        async () =>
          (await archive.reindex?.(progress.update)) ??
          unable(
            "be reindexed: only the embedded archive can (--data, sqlite:), and others keep their indexes themselves",
          ),
      );
      progress[Symbol.dispose]();
      console.log(`The search index is new: ${toCounted(calls, "call")}.`);
    });
}
