// The main help of the program, which loads no libraries of commands.
import { COMMANDS } from "../commands.ts";

const HEAD = `Usage: call-media <command> [options]

Read from a Call Media Retrieval Service over HTTP.

Commands:`;

const EXAMPLES = `
  help <command>  the same as call-media <command> --help

To begin:
  $ call-media login --base-url https://archive.example.com
  $ call-media search --last 7d --agent leila.benali
  $ call-media recording 300000000100170
  $ call-media check

In a script, instead of login:
  $ export CALL_MEDIA_BASE_URL=https://archive.example.com CALL_MEDIA_API_KEY=...

More about a command: call-media search --help
Exit code: 0 done, 1 refused by the service or not found, 2 mistake in the
command, 3 export with something missing, 130 stopped by Ctrl-C.
`;

const NAME_WIDTH = 14;

export function toHelp(): string {
  const commands = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(NAME_WIDTH)}  ${summary}`);
  return [HEAD, ...commands].join("\n") + EXAMPLES;
}
