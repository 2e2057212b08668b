// Transcripts as text: a conversation a file, a turn a line, which may go on over the lines that follow.
import { findDayFault } from "@call-media/store/values";
import { readLines } from "../../lines.ts";
import { RowFault, type SourceRow } from "../../source-row.ts";
import { needStartMs, type Surroundings, toEntries } from "./conversation.ts";
import { createTurnClock } from "./turn-clock.ts";
import { goOn, type ReadTurn, type Turn, type TurnForm } from "./turns.ts";

// A line is held in memory whole; nobody says more in one breath.
const MAX_LINE_BYTES = 1024 * 1024;
const MAX_TURN_LENGTH = 1024 * 1024;
const TOO_LONG = `the turn is longer than ${MAX_TURN_LENGTH.toLocaleString("en")} characters`;

interface Said extends Turn {
  readonly line: number;
  readonly raw: string;
}

/** A row for each turn. After a turn of which nothing says when it was, none can be read. */
export async function* readTextTranscript(
  chunks: AsyncIterable<Buffer>,
  { read, firstTime }: TurnForm,
  surroundings: Surroundings,
): AsyncGenerator<SourceRow> {
  const { name, timeZone } = surroundings;
  const [date] = /\d{4}-\d\d-\d\d/.exec(name)?.filter((day) => !findDayFault(day)) ?? [];
  const clock = createTurnClock(firstTime, date, timeZone);
  for await (const turn of readTurns(chunks, read)) {
    if ("reason" in turn) {
      yield turn;
      continue;
    }
    const { line, raw, speaker, text, time } = turn;
    try {
      const startMs = clock.needsStart ? await needStartMs(name, surroundings) : undefined;
      const message = { speaker, text, ...clock.toWhen(time, startMs) };
      const said = speaker === undefined ? { ...message, role: "system" } : message;
      yield { line, raw, entries: await toEntries({ messages: [said] }, surroundings) };
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      yield { line, raw, reason: `${error.message}; nothing was read from here on` };
      return;
    }
  }
}

async function* readTurns(
  chunks: AsyncIterable<Buffer>,
  read: ReadTurn,
): AsyncGenerator<Said | Extract<SourceRow, { reason: string }>> {
  let open: Said | undefined;
  for await (const row of readLines(chunks, MAX_LINE_BYTES)) {
    if ("reason" in row) {
      yield row;
      continue;
    }
    const { line, text } = row;
    const turn = read(text.replace(/^\uFEFF/, ""));
    if (turn !== undefined) {
      if (open !== undefined) yield open;
      open = { ...turn, line, raw: text };
    } else if (open !== undefined && open.raw.length > MAX_TURN_LENGTH) {
      yield { line: open.line, raw: `${open.raw}\n${text}`, reason: TOO_LONG };
      open = undefined;
    } else if (open !== undefined) open = { ...goOn(open, text), raw: `${open.raw}\n${text}` };
    else if (text.trim() !== "")
      yield { line, raw: text, reason: "the line belongs to nobody: no speaker was named before" };
  }
  if (open !== undefined) yield open;
}
