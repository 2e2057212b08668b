// The columns of a sheet with the files of each record: their names, and what was measured of their sound.
import { describeFinding } from "@call-media/sound";
import type { MeasuredSound } from "../export/measured-sound.ts";
import { type Cell, FORMATS } from "./cells.ts";
import type { Column } from "./workbook.ts";

export interface SheetFile {
  /** The path. */
  readonly file: string;
  /** Measured for recordings only. */
  readonly sound?: MeasuredSound | undefined;
}

interface FileColumn extends Column {
  /** Undefined for a file that says nothing. */
  readonly read: (file: SheetFile) => string | number | undefined;
}

const toSeconds = (ms: number | null | undefined): number | undefined =>
  ms === null || ms === undefined ? undefined : Math.round(ms / 1000);

/** "1001-2.wav is silent in channel 2 from beginning to end" */
function describeSound({ file, sound }: SheetFile): string | undefined {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const faults = sound?.findings.map(describeFinding) ?? [];
  return faults.length === 0 ? undefined : `${name} ${faults.join(", and ")}`;
}

const COLUMNS: readonly FileColumn[] = [
  { header: "files", width: 40, format: FORMATS.text, read: ({ file }) => file },
  {
    header: "recorded_seconds",
    width: 17,
    format: FORMATS.general,
    read: ({ sound }) => toSeconds(sound?.duration_ms),
  },
  {
    header: "sound",
    width: 40,
    format: FORMATS.text,
    read: describeSound,
  },
  {
    header: "talk_percent",
    width: 13,
    format: FORMATS.general,
    read: ({ sound }) => {
      const talk = sound?.talk_percent ?? [];
      return talk.length > 1 ? talk.join(" / ") : talk[0];
    },
  },
  {
    header: "longest_silence_seconds",
    width: 23,
    format: FORMATS.general,
    read: ({ sound }) => toSeconds(sound?.longest_silence_ms),
  },
  {
    header: "overtalk_percent",
    width: 17,
    format: FORMATS.general,
    read: ({ sound }) => sound?.overtalk_percent,
  },
];

export const FILE_COLUMNS: readonly Column[] = COLUMNS;

/** A value for each file that has one: a number alone stays a number. */
export const toFileCells = (files: readonly SheetFile[]): readonly Cell[] =>
  COLUMNS.map(({ read }) => {
    const values = files.map(read).filter((value) => value !== undefined);
    return values.length > 1 ? values.join("\n") : values[0];
  });
