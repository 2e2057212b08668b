// Transcripts of chats and calls become messages of their call. Forms: dialects of JSON, lines with speakers, TextGrid.
import { createHead, type Head, HEAD_BYTES } from "../../head.ts";
import { ImportError } from "../../import-error.ts";
import type { ReadOptions, ImportFormat } from "../format.ts";
import { peek } from "../../peek.ts";
import { type Reader, RowFault, type SourceRow } from "../../source-row.ts";
import { findRecords, type JsonRecord, readJsonRecords } from "../json-format.ts";
import { createSurroundings, toEntries } from "./conversation.ts";
import type { Dialect } from "./dialect.ts";
import { DIALECTS } from "./dialects.ts";
import { isTextGrid, readTextGrid } from "./text-grid.ts";
import { readTextTranscript } from "./text-transcript.ts";
import { learnTurns } from "./turns.ts";

export const transcript: ImportFormat = {
  title: "transcripts of chats and calls",
  hint: "JSON, text with speakers, TextGrid; a file is named by its call, or says which it is",
  extensions: [".json", ".jsonl", ".ndjson", ".txt", ".textgrid"],
  ambiguous: [".txt"],
  asksArchive: true,
  recognise,
  createReader,
};

// A text with a single speaker may be anything: a list, a letter.
function recognise(head: Head): string | undefined {
  const marks = findDialect(head)?.marks;
  if (marks !== undefined) return `its records have ${marks.join(", ")}`;
  if (isTextGrid(head.text)) return "it is a TextGrid";
  const speakers = learnTurns(head.text)?.speakers ?? [];
  if (speakers.length < 2) return undefined;
  const some = speakers.slice(0, 3).join(", ");
  return `its lines name who speaks: ${some}${speakers.length > 3 ? " and others" : ""}`;
}

function createReader({ openArchive, timeZone }: ReadOptions): Reader {
  return async function* (file): AsyncGenerator<SourceRow> {
    const surroundings = createSurroundings(file, timeZone, openArchive);
    const { beginning, chunks } = await peek(file.chunks(), HEAD_BYTES);
    const head = createHead(beginning);
    const found = findDialect(head);
    const form = found === undefined ? learnTurns(head.text) : undefined;
    if (found !== undefined) {
      const translate = async (record: JsonRecord) => {
        const conversation = found.dialect.read(record);
        if (conversation.messages.length === 0)
          throw new RowFault("the conversation has no messages");
        return await toEntries(conversation, surroundings);
      };
      yield* readJsonRecords({ ...file, chunks: () => chunks }, () => found.path, translate);
    } else if (isTextGrid(head.text)) yield* readTextGrid(chunks, surroundings);
    else if (form !== undefined) yield* readTextTranscript(chunks, form, surroundings);
    else
      throw new ImportError(
        `${file.name} holds no transcript: no line begins with a speaker, such as "Agent: Hello."`,
      );
  };
}

function findDialect(
  head: Head,
): { dialect: Dialect; path: string; marks: readonly string[] } | undefined {
  for (const dialect of DIALECTS) {
    const found = findRecords(head, dialect);
    if (found !== undefined) return { dialect, ...found };
  }
  return undefined;
}
