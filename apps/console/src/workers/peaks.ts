// Reads a recording to its end without keeping it, computes its levels and the SHA-256 of its bytes, and measures its sound.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { createSoundMeter } from "@call-media/handover";
import { createPeakReader, type PeakReader } from "@call-media/sound/peaks";
import type { Message, Order } from "./message.ts";

declare const self: DedicatedWorkerGlobalScope;

const STEP_MS = 200;
// Larger files with encoded samples are hashed, but not kept.
const MOST_KEPT_BYTES = 64 * 2 ** 20;

const say = (message: Message, transfer: Transferable[] = []) =>
  self.postMessage(message, transfer);

self.addEventListener("message", ({ data }: MessageEvent<Order>) => {
  void read(data).catch(() => say({ kind: "failed" }));
});

async function read({ url, headers, bytes: total, ...announced }: Order): Promise<void> {
  const response = await fetch(url, { headers, redirect: "error", cache: "no-store" });
  if (!response.ok || response.body === null) throw new TypeError(`answered ${response.status}`);
  const sum = sha256.create();
  const meter = createSoundMeter(announced);
  let kept: Uint8Array<ArrayBuffer>[] | undefined = [];
  let reader: PeakReader | undefined = createPeakReader();
  let received = 0;
  let shownMs = 0;
  for await (const piece of response.body) {
    sum.update(piece);
    meter.push(piece);
    received += piece.length;
    if (reader?.read(piece) === false) reader = undefined;
    // Uncompressed samples are measured as they arrive; other files are decoded as a whole.
    if (reader?.isKnown === true || received > MOST_KEPT_BYTES) kept = undefined;
    kept?.push(piece);
    const nowMs = performance.now();
    if (nowMs - shownMs < STEP_MS) continue;
    shownMs = nowMs;
    show(reader, Math.min(1, received / (total ?? Infinity)));
  }
  show(reader, 1);
  if (reader?.isKnown !== true) await hand(kept);
  say({ kind: "measured", sound: meter.end() });
  say({ kind: "digest", digest: bytesToHex(sum.digest()) });
}

function show(reader: PeakReader | undefined, share: number): void {
  if (reader?.isKnown === true) say({ kind: "peaks", ...reader.peaks(), share });
  else say({ kind: "share", share });
}

async function hand(kept: Uint8Array<ArrayBuffer>[] | undefined): Promise<void> {
  if (kept === undefined) {
    say({ kind: "failed" });
    return;
  }
  const bytes = await new Blob(kept).arrayBuffer();
  say({ kind: "whole", bytes }, [bytes]);
}
