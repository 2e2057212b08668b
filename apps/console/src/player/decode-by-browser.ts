// Decodes to a WAV file with the browser's own decoders: Opus, Vorbis, AAC, FLAC, and any other format it plays.
import { toWav } from "@call-media/sound/decode";

// The rate of decoded Opus, also used for recordings that were never examined.
const DEFAULT_RATE = 48_000;

/** Undefined if the browser does not know the format. */
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
