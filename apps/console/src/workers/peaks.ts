// Reads a recording from end to end without keeping it: how loud it is, and the SHA-256 of its bytes.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Message, Order } from "./message.ts";
import { createWavReader, type WavReader } from "./wav.ts";

declare const self: DedicatedWorkerGlobalScope;

const STEP_MS = 200;
// Larger files other than WAV are hashed and not kept.
const MOST_KEPT_BYTES = 64 * 2 ** 20;

const say = (message: Message, transfer: Transferable[] = []) =>
  self.postMessage(message, transfer);

self.addEventListener("message", ({ data }: MessageEvent<Order>) => {
  void read(data).catch(() => say({ kind: "failed" }));
});

async function read({ url, headers, bytes: total }: Order): Promise<void> {
  const response = await fetch(url, { headers, redirect: "error", cache: "no-store" });
  if (!response.ok || response.body === null) throw new TypeError(`answered ${response.status}`);
  const sum = sha256.create();
  let kept: Uint8Array<ArrayBuffer>[] | undefined = [];
  let wav: WavReader | undefined = createWavReader();
  let received = 0;
  let shownMs = 0;
  for await (const piece of response.body) {
    sum.update(piece);
    received += piece.length;
    if (wav !== undefined && !wav.read(piece)) wav = undefined;
    // Only the head of a WAV file would have to be kept.
    if (wav?.isKnown === true || received > MOST_KEPT_BYTES) kept = undefined;
    kept?.push(piece);
    const nowMs = performance.now();
    if (nowMs - shownMs < STEP_MS) continue;
    shownMs = nowMs;
    show(wav, Math.min(1, received / (total ?? Infinity)));
  }
  show(wav, 1);
  if (wav?.isKnown !== true) await hand(kept);
  say({ kind: "digest", digest: bytesToHex(sum.digest()) });
}

function show(wav: WavReader | undefined, share: number): void {
  if (wav?.isKnown === true) say({ kind: "peaks", ...wav.peaks(), share });
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
