// `call-media index`: makes an export searchable by words, without the service.
import type { Command } from "commander";
import { addGroupOption } from "../command-line/common-options.ts";
import { FAILED } from "../exit-codes.ts";
import { findFiles } from "../index/folder-files.ts";
import { isWritable } from "../index/index-file.ts";
import { openFolder } from "../index/open-folder.ts";
import { toUnsearched, warnOfUnreadable } from "../index/summary.ts";
import {
  console,
  createProgressLine,
  io,
  toCounted,
  toPrintable,
  toProgressOutput,
  toShellWord,
  UsageError,
} from "@call-media/terminal";
import { createInterrupt } from "../interrupt.ts";
import { printJson } from "../terminal/output.ts";

const HELP = `
  $ call-media export --last 7d --out week
  $ call-media index week
  $ call-media search --in week --words 'refund "early termination" bill*'

index writes words.db into the folder of an export, or of an unpacked hand-over. Then search --in finds calls by words without
the service. It indexes the transcripts, notes, names and phone numbers in metadata.jsonl, and the chats in transcripts/ if
they were exported. After a sync, index reads only what is new. If calls or chats are gone, it reads everything again, so
that no word of them stays in the file. An interrupted run leaves the index unchanged. search --in updates the index
automatically.

words.db holds personal data: every word of these calls. Only you can read it, unless you give --group-readable. It is not part
of the export: verify names it as ignored, and hand-overs leave it out. A words.db that came with a folder, or was copied with
it, is not trusted: it is built again. You may delete it at any time.

Exit code: 0 all is indexed, 1 a file cannot be read.
`;

interface IndexFlags {
  readonly json?: boolean;
}

export function configureIndex(command: Command): void {
  addGroupOption(command.argument("<folder>", "the export directory, or an unpacked hand-over"))
    .option("--json", "as { file, records, transcripts, added, rebuilt, unreadable }")
    .addHelpText("after", HELP)
    .action(indexFolder);
}

async function indexFolder(path: string, { json }: IndexFlags): Promise<void> {
  const { index: file, folder: place } = findFiles(path);
  if (!isWritable(place.path))
    throw new UsageError(
      `nothing can be written in ${path}: copy it, or let search --in index it in memory`,
    );
  using progress = createProgressLine(toProgressOutput());
  let update = { added: 0, isRebuilt: false };
  await using folder = await openFolder(path, {
    signal: createInterrupt(),
    onProgress: (documents) =>
      progress.show(toCounted(documents, "record or transcript", "records and transcripts")),
    onUpdate: (indexed) => void (update = indexed),
  });
  progress.show("");
  const { records, transcripts, unreadable } = folder;
  const { added, isRebuilt } = update;
  const counts = { records, transcripts, added, rebuilt: isRebuilt, unreadable };
  if (json) printJson({ file, ...counts });
  else {
    console.log(
      toPrintable(
        `${file}: ${toCounted(records, "record")} and ${toCounted(transcripts, "transcript or chat", "transcripts and chats")}, ${added.toLocaleString("en")} of them read now${isRebuilt ? ", as others are gone" : ""}`,
      ),
    );
    const unsearched = toUnsearched(folder, path);
    if (unsearched !== undefined) console.info(unsearched);
    console.info(
      `It holds every word of these calls, which are personal data: keep it as safe as the export. To search: call-media search --in ${toShellWord(path)} --words refund`,
    );
  }
  warnOfUnreadable(folder, path);
  if (unreadable > 0) io().exitCode = FAILED;
}
