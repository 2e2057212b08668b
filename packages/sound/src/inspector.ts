// Inspects a recording while its bytes pass: walks its container, measures its samples, and returns the facts.
import type { Announced } from "./containers/raw.ts";
import { walkRecording } from "./containers/recording.ts";
import type { SampleReader } from "./containers/samples.ts";
import { type SoundFacts, toFacts } from "./facts.ts";
import { createFeed } from "./feed.ts";
import type { Format } from "./format.ts";
import { createGsmMeter } from "./meter/gsm-maxima.ts";
import { createMeter } from "./meter/meter.ts";

export interface Inspector {
  /** Accepts the bytes in order; the result does not depend on the size of the pieces. Never throws. */
  readonly push: (piece: Uint8Array) => void;
  /** Must be called once, after the last piece. Never throws. */
  end(): SoundFacts;
}

/**
 * `announced` counts only for bytes that do not reveal their format. Uses some kilobytes of memory, and a byte for each tenth of a second
 * and channel.
 */
export function createInspector(announced: Announced = {}): Inspector {
  const feed = createFeed(walkRecording(announced, toReader));
  return {
    push: feed.push,
    end: () => {
      const { result, rest } = feed.end();
      const assumed = result.container === "raw" ? result.codec : undefined;
      return toFacts({ ...result, trailing: (result.trailing ?? 0) + rest }, assumed);
    },
  };
}

/** GSM is measured without decoding; samples of other block codecs are not measured. */
function toReader(format: Format): SampleReader | undefined {
  if (format.codec === "gsm") {
    const meter = createGsmMeter(format.blockBytes);
    return meter && { push: meter.push, end: () => ({ loudness: meter.end() }) };
  }
  const meter = createMeter(format);
  return meter && { push: meter.push, end: () => ({ levels: meter.end() }) };
}
