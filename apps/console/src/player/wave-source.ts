// Computes the wave of a long recording: a worker reads it again, draws meanwhile, and hashes its bytes.
import peaksUrl from "../workers/peaks.ts?worker&url";
import type { MeasuredSound } from "@call-media/handover";
import type { Access } from "../access.ts";
import { markedAs } from "../marked.ts";
import { toScriptUrl } from "../trusted.ts";
import type { Message, Order } from "../workers/message.ts";
import { type Peaks, toPeaks } from "./peaks.ts";
import { type Head, toRecordingUrl } from "./recording.ts";

// Decoded samples of this length still fit in memory; longer recordings get no wave.
const MOST_DECODED_SECONDS = 20 * 60;
const DECODED_RATE = 8000;

export interface WaveListener {
  /** The peaks so far; `share` is the part that was read, from 0 to 1. */
  readonly onPeaks: (peaks: Peaks, share: number) => void;
  readonly onShare: (share: number) => void;
  /** The length of the decoded sound, whatever the file declares. */
  readonly onLength: (seconds: number) => void;
  /** No wave can be drawn, but the recording may still be playable. */
  readonly onNone: () => void;
  readonly onMeasured: (sound: MeasuredSound) => void;
  /** SHA-256 of all bytes in hexadecimal digits. */
  readonly onDigest: (digest: string) => void;
}

export interface WaveRequest {
  readonly access: Access;
  readonly head: Head;
  readonly seconds: number;
}

/** Starts reading; the returned function stops it. */
export function readWave(
  { access, head: { wanted, bytes, contentType, filename }, seconds }: WaveRequest,
  listener: WaveListener,
): () => void {
  const worker = new Worker(toScriptUrl(peaksUrl), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    switch (data.kind) {
      case "peaks":
        listener.onPeaks({ channels: data.channels, seconds: data.seconds }, data.share);
        break;
      case "share":
        listener.onShare(data.share);
        break;
      case "whole":
        if (seconds > MOST_DECODED_SECONDS) listener.onNone();
        else void decode(data.bytes, listener);
        break;
      case "measured":
        listener.onMeasured(data.sound);
        break;
      case "digest":
        listener.onDigest(data.digest);
        worker.terminate();
        break;
      case "failed":
        listener.onNone();
        worker.terminate();
        break;
    }
  });
  const url = toRecordingUrl(access, wanted);
  const start = (headers: Order["headers"]) =>
    worker.postMessage({ url, headers, bytes, contentType, filename } satisfies Order);
  void markedAs(access, "wave").headers().then(start);
  return () => worker.terminate();
}

async function decode(bytes: ArrayBuffer, listener: WaveListener): Promise<void> {
  const peaks = await decodePeaks(bytes);
  if (peaks === undefined) {
    listener.onNone();
    return;
  }
  listener.onPeaks(peaks, 1);
  listener.onLength(peaks.seconds);
}

/** Undefined if the browser does not know the format. `bytes` is detached. */
export async function decodePeaks(bytes: ArrayBuffer): Promise<Peaks | undefined> {
  try {
    const buffer = await new OfflineAudioContext(1, 1, DECODED_RATE).decodeAudioData(bytes);
    const channels = Array.from({ length: buffer.numberOfChannels }, (_, channel) =>
      buffer.getChannelData(channel),
    );
    return toPeaks(channels, buffer.sampleRate);
  } catch {
    return undefined;
  }
}
