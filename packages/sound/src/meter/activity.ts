// Derives from the levels of a channel how loud it is, whether anyone speaks, and when.
import { LOWEST, STILL, WINDOWS_A_SECOND } from "./channel.ts";

export const WINDOW_MS = 1000 / WINDOWS_A_SECOND;

// Speech has pauses: its loud and quiet parts differ more than those of steady noise.
const SPEECH_SPREAD_DB = 6;
const SPEECH_LEVEL_DB = -60;
// The threshold of speech is at least the first of these. Otherwise it is above the floor of the channel by the second, or below its loud
// level by the third, whichever is lower.
const QUIETEST_DB = -50;
const ABOVE_FLOOR_DB = 8;
const BELOW_LOUD_DB = 6;
// A click is louder than its surroundings too, but shorter than any word.
const LEAST_SPEECH_WINDOWS = 3;
// Two tenths of a second between two words do not count as silence.
const HANG_WINDOWS = 3;

export interface Activity {
  /** The level that 95 of 100 windows stay below; in dB of full scale. */
  readonly levelDb: number;
  /** The level that 10 of 100 windows stay below. */
  readonly floorDb: number;
  readonly hasSpeech: boolean;
  /** 1 for each window in which someone speaks. */
  readonly isActive: Uint8Array;
}

export function toActivity(windows: Uint8Array): Activity {
  const { sounding, rank } = createRanks(windows);
  const [levelDb, floorDb] = sounding === 0 ? [-LOWEST, -LOWEST] : [rank(0.05), rank(0.9)];
  const isSpread = levelDb - floorDb >= SPEECH_SPREAD_DB || sounding < windows.length;
  const threshold = Math.max(
    QUIETEST_DB,
    Math.min(levelDb - BELOW_LOUD_DB, floorDb + ABOVE_FLOOR_DB),
  );
  const loud = windows.reduce((sum, level) => sum + (-level >= threshold ? 1 : 0), 0);
  const hasSpeech = levelDb > SPEECH_LEVEL_DB && isSpread && loud >= LEAST_SPEECH_WINDOWS;
  const isActive = hasSpeech ? findActive(windows, threshold) : new Uint8Array(windows.length);
  return { levelDb, floorDb, hasSpeech, isActive };
}

/** `rank(share)` returns the level that this share of the sounding windows reaches. */
function createRanks(windows: Uint8Array) {
  const bins = new Uint32Array(256);
  for (const level of windows) bins[level] = (bins[level] ?? 0) + 1;
  const sounding = windows.length - (bins[STILL] ?? 0);
  const rank = (share: number): number => {
    let left = Math.ceil(sounding * share);
    for (let level = 0; level <= LOWEST; level++) {
      left -= bins[level] ?? 0;
      if (left <= 0) return -level;
    }
    return -LOWEST;
  };
  return { sounding, rank };
}

function findActive(windows: Uint8Array, thresholdDb: number): Uint8Array {
  let hang = 0;
  return windows.map((level) => {
    hang = -level >= thresholdDb ? HANG_WINDOWS : hang - 1;
    return hang > 0 ? 1 : 0;
  });
}

export interface Talk {
  readonly longestSilenceMs: number;
  /** The share of the talk during which more than one channel speaks, in per cent. */
  readonly overtalkPercent: number;
}

/** Combines all channels. */
export function toTalk(activities: readonly Activity[]): Talk {
  const length = Math.max(0, ...activities.map(({ isActive }) => isActive.length));
  let [longest, run, both, any] = [0, 0, 0, 0];
  for (let at = 0; at < length; at++) {
    let speaking = 0;
    for (const { isActive } of activities) speaking += isActive[at] ?? 0;
    run = speaking === 0 ? run + 1 : 0;
    longest = Math.max(longest, run);
    if (speaking > 0) any++;
    if (speaking > 1) both++;
  }
  const overtalkPercent = any === 0 ? 0 : Math.round((100 * both) / any);
  return { longestSilenceMs: longest * WINDOW_MS, overtalkPercent };
}

export const toTalkMs = ({ isActive }: Activity): number =>
  isActive.reduce((sum, one) => sum + one, 0) * WINDOW_MS;
