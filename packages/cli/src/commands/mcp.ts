// `call-media mcp`: a server of the Model Context Protocol on standard input and output.
import { createShowDatetime } from "@call-media/conditions";
import { finished } from "node:stream/promises";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Command } from "commander";
import { addServiceOptions, connect } from "../access/connect.ts";
import type { TargetFlags } from "../access/target.ts";
import { ACCESS_HELP } from "../command-line/access-help.ts";
import { console, io } from "@call-media/terminal";
import { createOpenSearches } from "../mcp/open-searches.ts";
import { createServer } from "../mcp/server.ts";
import { toTimeZone } from "../search/time-zones.ts";

const HELP = `
A Model Context Protocol server on standard input and output, for a program that works with a language model. Its
tools are search_calls, count_calls, get_call, get_transcript and describe_fields. They only read, with the rights of
the credentials in use, and return no sound. An answer is text of at most 8,000 characters. In the settings of the program:
  {
    "mcpServers": {
      "call-media": {
        "command": "call-media",
        "args": ["mcp", "--profile", "production"]
      }
    }
  }
Started by hand, it waits for messages:
  $ call-media mcp --profile production --tz Europe/Berlin < /dev/null
${ACCESS_HELP}`;

interface McpFlags extends TargetFlags {
  readonly tz?: string;
}

export function configureMcp(command: Command): void {
  addServiceOptions(command)
    .option("--tz <zone>", "show datetimes in this time zone, such as Europe/Berlin", toTimeZone)
    .addHelpText("after", HELP)
    .action(serve);
}

async function serve({ tz, ...flags }: McpFlags): Promise<void> {
  const { client, archiveZone } = await connect(flags);
  const archive = {
    client,
    zone: { timeZone: tz, archiveZone },
    showDatetime: createShowDatetime(tz, archiveZone),
    describeZone: () => describeTimeZone(tz, archiveZone()),
    searches: createOpenSearches(),
  };
  // Standard output belongs to the protocol, so other errors go to standard error.
  const { stdin, stdout } = io();
  serveStdio(() => createServer(archive), {
    transport: new StdioServerTransport(stdin, stdout),
    onerror: (error) => console.error(toWords(error)),
  });
  await finished(stdin);
}

/** For an invalid message, the library's own text has a hundred lines. */
const toWords = ({ name, message }: Error) =>
  name === "ZodError" ? "a line of standard input is not a message of the protocol" : message;

function describeTimeZone(tz: string | undefined, zone: string | undefined): string {
  if (tz !== undefined && zone !== undefined) return `Datetimes are in ${tz}.`;
  const withOffset =
    tz === undefined
      ? "Datetimes have the offset that is written"
      : `Datetimes with an offset are in ${tz}`;
  const archive = zone?.replace(/^[+-]/, "UTC$&") ?? "which is not known here";
  return `${withOffset}; those without one are in the time zone of the archive, ${archive}.`;
}
