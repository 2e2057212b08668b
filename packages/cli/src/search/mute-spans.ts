// The spans of --mute: from a file, or of one recording.
import { readFile } from "node:fs/promises";
import { text as readText } from "node:stream/consumers";
import { type CallSpan, InvalidSpans, parseSpans, parseTimes } from "@call-media/handover";
import type { MuteSpan } from "@call-media/sound/mute";
import { io, UsageError } from "@call-media/terminal";

/** "-" is standard input. @throws UsageError */
export async function readSpans(file: string): Promise<readonly CallSpan[]> {
  const text = file === "-" ? await readText(io().stdin) : await readFile(file, "utf8");
  return refuse(() => parseSpans(text), file);
}

/** @throws UsageError */
export const readTimes = (text: string): readonly MuteSpan[] => refuse(() => parseTimes(text));

function refuse<Spans>(parse: () => Spans, file = ""): Spans {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof InvalidSpans)) throw error;
    throw new UsageError(`--mute: ${file === "" ? "" : `${file} `}${error.message}`, {
      cause: error,
    });
  }
}
