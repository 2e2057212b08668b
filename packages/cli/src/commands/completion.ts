// `call-media completion`: a script for the shell.
import { Argument, type Command } from "commander";
import type { CommandEntry } from "../command-line/command-entry.ts";
import { type Shell, SHELLS, toCompletion } from "../command-line/completion.ts";
import { console } from "@call-media/terminal";

const HELP = `
In ~/.bashrc, or in ~/.zshrc after compinit with zsh for bash:
  eval "$(call-media completion bash)"
For fish, once, into ~/.config/fish/completions:
  $ call-media completion fish > call-media.fish
In the file that PowerShell calls $PROFILE:
  call-media completion powershell | Out-String | Invoke-Expression`;

/** `commands`: all commands of the program, including this one. */
export const createCompletion =
  (commands: readonly CommandEntry[]) =>
  (command: Command): void => {
    command
      .addArgument(new Argument("<shell>", "which one").choices(SHELLS))
      .addHelpText("after", HELP)
      .action(async (shell: Shell) => console.log(await toCompletion(shell, commands)));
  };
