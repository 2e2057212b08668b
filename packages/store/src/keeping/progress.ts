// How far a long piece of work on an archive has come.

export interface Progress {
  /** What is being done, for people. */
  readonly step: string;
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export type OnProgress = (progress: Progress) => void;
