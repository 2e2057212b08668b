// A command for the user to paste into a shell: complete, with the options for the service.
import type { TargetFlags } from "../access/target.ts";
import { toArgument } from "@call-media/terminal";

/** "call-media export --resume --out march --profile production". The command never contains a secret. */
export function toServiceCommand(command: string, { profile, baseUrl }: TargetFlags): string {
  const target = [
    ...(baseUrl === undefined ? [] : ["--base-url", toArgument(baseUrl)]),
    ...(profile === undefined ? [] : ["--profile", toArgument(profile)]),
  ];
  return ["call-media", command, ...target].join(" ");
}

/** The command that continues an export, and tries failed files again. `named`: the option that names the export. */
export const toResumeCommand = (named: string, flags: TargetFlags): string =>
  toServiceCommand(`export --resume ${named}`, flags);
