// A command that is shown, to be pasted into a shell: complete, with the service that it is for.
import type { TargetFlags } from "../access/target.ts";
import { toArgument, toShellWord } from "./shell-word.ts";

/** "call-media export --resume --out march --profile production"; no command shows a secret. */
export function toServiceCommand(command: string, { profile, baseUrl }: TargetFlags): string {
  const target = [
    ...(baseUrl === undefined ? [] : ["--base-url", toArgument(baseUrl)]),
    ...(profile === undefined ? [] : ["--profile", toArgument(profile)]),
  ];
  return ["call-media", command, ...target].join(" ");
}

/** The command that continues an export, and tries failed files again. */
export const toResumeCommand = (path: string, flags: TargetFlags): string =>
  toServiceCommand(`export --resume --out ${toShellWord(path)}`, flags);
