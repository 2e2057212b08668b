// Speech for the recordings: turns spoken by espeak-ng, laid on one time line, encoded by ffmpeg.
import { spawnSync } from "node:child_process";

/** A voice of espeak-ng with a variant, and its pitch from 0 to 99. `en-gb` takes no variant; `en-gb-x-rp` does. */
export interface Voice {
  name: string;
  pitch: number;
}

export interface SpokenTurn {
  text: string;
  voice: Voice;
  channel: "left" | "right";
  /** Silence after it; a third of a second by default. */
  pauseSeconds?: number | undefined;
}

export interface Sound {
  /** 16-bit samples at SAMPLE_RATE_HZ, one list a channel, all of one length. */
  channels: readonly Int16Array[];
  seconds: number;
  /** When each turn begins, in seconds from the start of the recording. */
  turnStarts: readonly number[];
}

export const FORMATS = {
  "mu-law": { extension: "wav", options: ["-ar", "8000", "-c:a", "pcm_mulaw"] },
  "pcm-8k": { extension: "wav", options: ["-ar", "8000", "-c:a", "pcm_s16le"] },
  "pcm-16k": { extension: "wav", options: ["-ar", "16000", "-c:a", "pcm_s16le"] },
  mp3: { extension: "mp3", options: ["-ar", "16000", "-c:a", "libmp3lame", "-b:a", "24k"] },
  // Without the header that says how long it lasts.
  "vbr-mp3": {
    extension: "mp3",
    options: ["-ar", "16000", "-c:a", "libmp3lame", "-q:a", "7", "-write_xing", "0"],
  },
  opus: { extension: "opus", options: ["-ar", "16000", "-c:a", "libopus", "-b:a", "16k"] },
  vorbis: { extension: "ogg", options: ["-ar", "16000", "-c:a", "libvorbis", "-q:a", "0"] },
} as const;

export type Format = keyof typeof FORMATS;

// The output of espeak-ng, always 16-bit mono behind a header of 44 bytes.
const SAMPLE_RATE_HZ = 22_050;
const WAV_HEADER_BYTES = 44;
const WORDS_PER_MINUTE = 180;
const LEAD_SECONDS = 0.4;
const PAUSE_SECONDS = 0.35;

/** Speaks the turns one after the other with a pause between: all on one track, or the two parties on two channels. */
export function speakTurns(turns: readonly SpokenTurn[], stereo: boolean): Sound {
  const spoken = turns.map((turn) => ({ ...turn, samples: speak(turn) }));
  let position = Math.round(LEAD_SECONDS * SAMPLE_RATE_HZ);
  const starts = spoken.map(({ samples, pauseSeconds = PAUSE_SECONDS }) => {
    const start = position;
    position += samples.length + Math.round(pauseSeconds * SAMPLE_RATE_HZ);
    return start;
  });

  const channels = Array.from({ length: stereo ? 2 : 1 }, () => new Int16Array(position));
  spoken.forEach(({ samples, channel }, index) => {
    const track = stereo && channel === "right" ? channels[1] : channels[0];
    track?.set(samples, starts[index]);
  });
  const turnStarts = starts.map((start) => start / SAMPLE_RATE_HZ);
  return { channels, seconds: position / SAMPLE_RATE_HZ, turnStarts };
}

/** Encodes to a file. `bitexact` keeps encoder versions and random stream numbers out of it. */
export function writeRecording(
  { channels }: Sound,
  { format, file }: { format: Format; file: string },
): void {
  const source = ["-f", "s16le", "-ar", `${SAMPLE_RATE_HZ}`, "-ac", `${channels.length}`];
  const exact = ["-fflags", "+bitexact", "-flags:a", "+bitexact", "-map_metadata", "-1"];
  const target = [...FORMATS[format].options, ...exact, file];
  const options = ["-y", "-loglevel", "error", ...source, "-i", "pipe:0", ...target];
  run("ffmpeg", options, interleave(channels));
}

/** The first program that speech needs and that is not on the path. */
export function findMissingProgram(): string | undefined {
  return ["espeak-ng", "ffmpeg"].find(
    (program) => spawnSync(program, ["--version"]).error !== undefined,
  );
}

function speak({ text, voice }: SpokenTurn): Int16Array {
  const settings = ["-v", voice.name, "-p", `${voice.pitch}`, "-s", `${WORDS_PER_MINUTE}`];
  const wav = run("espeak-ng", [...settings, "--stdout", "--", text]);
  const bytes = Uint8Array.from(wav.subarray(WAV_HEADER_BYTES));
  return new Int16Array(bytes.buffer);
}

function interleave(channels: readonly Int16Array[]): Buffer {
  const frames = channels[0]?.length ?? 0;
  const samples = new Int16Array(frames * channels.length);
  channels.forEach((track, channel) => {
    track.forEach((sample, frame) => (samples[frame * channels.length + channel] = sample));
  });
  return Buffer.from(samples.buffer);
}

function run(program: string, options: readonly string[], input?: Buffer): Buffer {
  // A minute of 16-bit sound at 22,050 Hz is 2.6 MB; the default of 1 MiB would cut a long turn.
  const maxBuffer = 256 * 1024 * 1024;
  const result = spawnSync(program, options, { input, maxBuffer });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${program} failed: ${result.stderr.toString()}`);
  return result.stdout;
}
