// A command of the program before its code is loaded.
import type { Command } from "commander";

/** What a file in commands/ exports: adds options, help and action to `command`. */
export type Configure = (command: Command) => void;

export interface CommandEntry {
  readonly name: string;
  /** One line, without a full stop: what it does for the user. */
  readonly summary: string;
  readonly load: () => Promise<Configure>;
}
