// Measures a recording that is in memory. It is loaded with the first such recording: the worker of the wave measures longer ones.
import { createSoundMeter, type MeasuredSound } from "@call-media/handover";
import type { Head } from "./recording.ts";

export function measure(content: Uint8Array, announced: Head): MeasuredSound {
  const meter = createSoundMeter(announced);
  meter.push(content);
  return meter.end();
}
