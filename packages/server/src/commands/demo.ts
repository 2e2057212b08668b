// `call-media-server demo`: an archive of invented calls, with examples to try.
import { openStore } from "@call-media/store/open";
import type { Command } from "commander";
import { toDay } from "../command-line/calendar-day.ts";
import { createPortOption, DEFAULT_PORT, DEMO_FOLDER } from "../command-line/option-values.ts";
import { console, io, toShellWord } from "@call-media/terminal";
import { type DemoAccess, makeDemo } from "./demo-archive.ts";
import { runService } from "./run-service.ts";

// People who try the demo do not wait long.
const SHUTDOWN_TIMEOUT_MS = 3_000;

interface Flags {
  readonly data: string;
  readonly json?: true;
  readonly serve?: true;
  readonly port: number;
  readonly asOf?: string;
}

const today = () => new Date().toISOString().slice(0, 10);

export function configureDemo(command: Command): void {
  command
    .option(
      "--data <dir>",
      "the folder for the archive: empty, missing, or a demo already",
      DEMO_FOLDER,
    )
    .option("--json", "print the credentials and example identifiers as one JSON object")
    .option("--serve", "serve it on 127.0.0.1 until stopped")
    .addOption(createPortOption())
    .option("--as-of <day>", "the day after the newest calls (default: today, in UTC)", toDay)
    .action(async (flags: Flags) => {
      const access = await makeDemo(flags.data, flags.asOf ?? today());
      if (flags.json) console.log(JSON.stringify(access));
      if (!flags.serve) {
        if (!flags.json)
          console.log(toWelcome(access, `http://127.0.0.1:${flags.port}`, toServeCommand(flags)));
        return;
      }
      await using store = await openStore({ records: flags.data });
      await runService(store, {
        host: "127.0.0.1",
        port: flags.port,
        console: { isSecure: false },
        log: { level: "info", format: "text" },
        shutdownTimeoutMs: SHUTDOWN_TIMEOUT_MS,
        onListening: ({ baseUrl }) => {
          if (!flags.json) console.log(toWelcome(access, baseUrl));
        },
      });
    });
}

/** The command that serves the new archive, in a form that the same user can run. */
function toServeCommand({ data, port }: { readonly data: string; readonly port: number }): string {
  // npm sets this variable. The program is then not on the path.
  const isNpx = io().env["npm_lifecycle_event"] === "npx";
  return [
    isNpx ? "npx @call-media/server" : "call-media-server",
    "serve",
    ...(data === DEMO_FOLDER ? [] : ["--data", toShellWord(data)]),
    ...(port === DEFAULT_PORT ? [] : ["--port", port]),
  ].join(" ");
}

/** A separate host name, because cookies are not limited to a port. Browsers resolve it to this machine without DNS (RFC 6761, 6.3). */
const toConsoleUrl = (baseUrl: string) =>
  `${baseUrl.replace("127.0.0.1", "call-media.localhost")}/console`;

function toWelcome(
  { credentials, restricted, apiKey, examples }: DemoAccess,
  baseUrl: string,
  serveCommand?: string,
): string {
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  const json = "-H 'Content-Type: application/json'";
  const serve = serveCommand === undefined ? [] : [`  Serve it       ${serveCommand}`, ""];
  return [
    "",
    "Call Media Retrieval Service, with an archive of invented calls. Open the console in a browser, and sign in with the API key.",
    "",
    ...serve,
    `  Console        ${toConsoleUrl(baseUrl)}`,
    `  Base URL       ${baseUrl}`,
    `  Documentation  ${baseUrl}/docs`,
    "",
    `  Administrator   secretID ${credentials.secretID}  secretKey ${credentials.secretKey}`,
    `  Limited rights  secretID ${restricted.secretID}  secretKey ${restricted.secretKey}`,
    `  API key         ${apiKey}`,
    "",
    "Paste these into another terminal: get a token, search, save a recording.",
    "",
    `TOKEN=$(curl -sS ${baseUrl}/Token ${json} -d '${JSON.stringify(credentials)}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    "",
    `curl -sS "${baseUrl}/metadata/search?pageIndex=0&startDate=2020-01-01&endDate=${today()}" ${bearer} ${json} -d '{"call_id":"${examples.call_id}"}'`,
    "",
    `curl -sS ${baseUrl}/recording/stream-by-call-id/${examples.call_id} ${bearer} -o recording.wav`,
    "",
  ].join("\n");
}
