// Sentences about a searched folder.
import { fieldsOf } from "@call-media/api";
import { listSources } from "@call-media/words";
import { console, toCounted, toPrintable, toShellWord } from "@call-media/terminal";
import { IN_MEMORY } from "./index-file.ts";
import type { SearchedFolder } from "./open-folder.ts";

export function warnOfUnreadable({ unreadable }: Pick<SearchedFolder, "unreadable">, path: string) {
  if (unreadable > 0)
    console.warn(
      toPrintable(
        `Warning: ${toCounted(unreadable, "record or transcript", "records or transcripts")} of ${path} cannot be read and are not searched: call-media verify ${toShellWord(path)} names them`,
      ),
    );
}

export function toUpdateWords(path: string, added: number, index: string): string {
  const where = index === IN_MEMORY ? "memory, as nothing can be written there" : index;
  const what = toCounted(added, "record or transcript", "records and transcripts");
  return toPrintable(`${what} of ${path} indexed in ${where}`);
}

/** Names what a search by words cannot find in the folder; undefined if it has everything. */
export function toUnsearched(
  { records, transcripts, masked, fields }: SearchedFolder,
  path: string,
): string | undefined {
  const searched = fieldsOf("MetadataRecord").filter((field) => isSearched(field));
  const missing = searched
    // Transcripts have what was said, too.
    .filter((field) => !fields.has(field) && (field !== "transcript" || transcripts === 0));
  const parts = [
    transcripts === 0 && "it has no chats",
    masked.length > 0 && `it masks ${masked.join(", ")}`,
    records > 0 && missing.length > 0 && `no record has ${missing.join(", ")}`,
  ].filter((part) => part !== false);
  return parts.length === 0
    ? undefined
    : toPrintable(`Words are looked for in what ${path} has: ${parts.join(", and ")}`);
}

const isSearched = (field: string) => listSources({ [field]: "a" }).length > 0;
