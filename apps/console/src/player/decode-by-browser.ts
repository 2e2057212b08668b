// The browser's own decoders as a WAV file: Opus, Vorbis, AAC, FLAC, and what else it plays.
import { toWav } from "@call-media/sound/decode";

// Opus is decoded at this rate, and so is what nobody looked at.
const DEFAULT_RATE = 48_000;

/** Undefined where the browser does not know what it is. */
export async function decodeByBrowser(
  content: Blob,
  rate = DEFAULT_RATE,
): Promise<Blob | undefined> {
  if (!("OfflineAudioContext" in globalThis)) return undefined;
  const bytes = await content.arrayBuffer();
  try {
    return toWavFile(await new OfflineAudioContext(1, 1, rate).decodeAudioData(bytes));
  } catch {
    return undefined;
  }
}

function toWavFile(buffer: AudioBuffer): Blob {
  const { numberOfChannels: channels, length, sampleRate: rate } = buffer;
  const samples = new Int16Array(length * channels);
  for (let channel = 0; channel < channels; channel++)
    for (const [at, value] of buffer.getChannelData(channel).entries())
      samples[at * channels + channel] = Math.max(-1, Math.min(1, value)) * 0x7f_ff;
  return toWav({ samples, channels, rate });
}
