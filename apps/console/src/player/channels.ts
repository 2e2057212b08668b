// Routes two channels: both, or one of them to both ears, each with its own volume.

export type Heard = "both" | 0 | 1;
export type Levels = readonly [number, number];

export interface Channels {
  readonly hear: (heard: Heard, levels: Levels) => void;
  readonly close: () => void;
}

/** Takes over the sound of `element` permanently. */
export function openChannels(element: HTMLAudioElement): Channels {
  const context = new AudioContext();
  const splitter = context.createChannelSplitter(2);
  const gains = [context.createGain(), context.createGain()] as const;
  const merger = context.createChannelMerger(2);
  context.createMediaElementSource(element).connect(splitter);
  for (const [channel, gain] of gains.entries()) splitter.connect(gain, channel);
  merger.connect(context.destination);
  void context.resume();
  return {
    hear(heard, levels) {
      for (const [channel, gain] of gains.entries()) {
        gain.disconnect();
        gain.gain.value = levels[channel] ?? 1;
      }
      for (const ear of [0, 1] as const)
        gains[heard === "both" ? ear : heard].connect(merger, 0, ear);
    },
    close: () => void context.close(),
  };
}
