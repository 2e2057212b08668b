// What of two channels is heard: both, or one of them on both ears.

export type Heard = "both" | 0 | 1;

export interface Channels {
  readonly hear: (heard: Heard) => void;
  readonly close: () => void;
}

/** Takes the sound of `element` over, for good. */
export function openChannels(element: HTMLAudioElement): Channels {
  const context = new AudioContext();
  const source = context.createMediaElementSource(element);
  const splitter = context.createChannelSplitter(2);
  const merger = context.createChannelMerger(2);
  source.connect(splitter);
  merger.connect(context.destination);
  void context.resume();
  return {
    hear(heard) {
      splitter.disconnect();
      for (const ear of [0, 1]) splitter.connect(merger, heard === "both" ? ear : heard, ear);
    },
    close: () => void context.close(),
  };
}
