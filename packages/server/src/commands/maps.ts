// `call-media-server maps`: lists the mapping files that are formats, and checks whether one reads its own samples.
import { checkMappingFile, listAllFormats, listMappingFiles } from "@call-media/import";
import type { Command } from "commander";
import { console, createTable, io, toCounted, toTableWidth } from "@call-media/terminal";
import { toPrintable } from "@call-media/service/printable";

const CHECK_HELP = `
Runs the samples of each file, or of all in a folder: pieces of an export, with the records that they are. Names that give no value in any sample are
listed, since a misspelt one would lose its values.

  $ call-media-server maps check acme.json
  $ call-media-server import --maps . --format acme --data ./archive export.csv

Exit code: 0 all are right, 1 one is not.`;

const COLUMNS = ["name", "title"];

export function configureMaps(command: Command): void {
  command
    .command("check")
    .description("run the samples of mapping files")
    .argument("<path...>")
    .addHelpText("after", CHECK_HELP)
    .action(checkFiles);
  command
    .command("list")
    .description("list the formats that import reads")
    .option("--maps <dir>", "a folder of mapping files that are formats, too")
    .action(async ({ maps }: { maps?: string }) => {
      const formats = await listAllFormats(maps);
      const kept = new Set(COLUMNS);
      const width = toTableWidth();
      const table = createTable({ columns: COLUMNS, kept, mayLeaveOut: false, width });
      console.log(table.toText(formats.map(({ name, title }) => [name, title])).trimEnd());
    });
}

async function checkFiles(paths: readonly string[]): Promise<void> {
  const files = await Promise.all(paths.map(listMappingFiles));
  for (const file of files.flat()) {
    const faults = await checkMappingFile(file);
    const outcome = faults.length === 0 ? "right" : toCounted(faults.length, "fault");
    console.log(toPrintable(`${file}: ${outcome}`));
    for (const fault of faults) console.log(toPrintable(`  ${fault}`));
    if (faults.length > 0) io().exitCode = 1;
  }
}
