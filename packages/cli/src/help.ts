// The help of the program as a whole, which needs none of the libraries that commands need.
import { COMMANDS } from "./commands.ts";

const HEAD = `Usage: call-media <command> [options]

A Call Media Retrieval Service from the outside: over HTTP, read-only.

Commands:`;

const EXAMPLES = `
  help <command>  the same as call-media <command> --help; --version tells the version

To begin:
  $ call-media login --base-url https://archive.example.com
  $ call-media search --from 2026-03-01 --to 2026-03-31 --agent ana.kovac
  $ call-media recording 300000004821507
  $ call-media check

In a script, instead of login:
  $ export CALL_MEDIA_BASE_URL=https://archive.example.com CALL_MEDIA_API_KEY=...

Each command explains itself: call-media search --help
Ends with 0 when done, 1 when the service refused or has no such thing, 2 when
the command cannot be carried out, 3 when an export lacks something.
`;

const NAME_WIDTH = 14;

export function toHelp(): string {
  const commands = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(NAME_WIDTH)}  ${summary}`);
  return [HEAD, ...commands].join("\n") + EXAMPLES;
}
