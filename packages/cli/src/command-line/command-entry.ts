// A command before its code is loaded.
import type { Command } from "commander";

/** Adds options, help and action to `command`. Every file in commands/ exports one. */
export type Configure = (command: Command) => void;

export interface CommandEntry {
  readonly name: string;
  /** One line, without a full stop: what it does for the user. */
  readonly summary: string;
  readonly load: () => Promise<Configure>;
}
