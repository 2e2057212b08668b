// `call-media-server reindex`: the search index of an archive made anew from its records.
import { rebuildIndex } from "@call-media/store/keeping";
import type { Command } from "commander";
import { createProgress } from "./progress.ts";

const HELP = `
For an archive of which "doctor" says that its search index is damaged or does not fit the calls. Records and recordings are
left as they are. The service may run meanwhile, and searches in the old index until the new one is whole; imports, backups
and purges may not. Some minutes for millions of calls, and as much room on the disk as the index takes.

  $ call-media-server reindex --data ./archive

Exit code: 0 the index is new, 1 nothing was changed.`;

export function addReindexCommand(program: Command): void {
  program
    .command("reindex")
    .description("make the search index of an archive anew from its records")
    .requiredOption("--data <dir>", "the folder of the archive")
    .addHelpText("after", HELP)
    .action(async (flags: { data: string }) => {
      using progress = createProgress();
      const calls = await rebuildIndex({ directory: flags.data, onProgress: progress.update });
      progress[Symbol.dispose]();
      console.log(`The search index is new: ${calls.toLocaleString("en")} calls.`);
    });
}
