// The spans of --mute: from a file, or of one recording.
import { type CallSpan, InvalidSpans, parseSpans, parseTimes } from "@call-media/handover";
import type { MuteSpan } from "@call-media/sound/mute";
import { readGivenFile, UsageError } from "@call-media/terminal";

/** "-" is standard input. @throws UsageError */
export async function readSpans(file: string): Promise<readonly CallSpan[]> {
  const text = await readGivenFile("--mute", file);
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
