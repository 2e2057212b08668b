// Recordings as they go out, against nginx that sends the same files with the same certificate and cipher.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Goal } from "../goals.ts";
import { printTable } from "../table.ts";
import { takeTurns, toTurnMedian } from "../turns.ts";
import { CIPHER, DOWNLOADS } from "./downloads.ts";
import { measurePerGigabyte, type MediaWorld, openMediaWorld } from "./media-world.ts";
import { measurePeaks, printPeaks, toFlatness } from "./memory.ts";
import { findNginx, startNginx } from "./nginx.ts";

const TURNS = 3;
const MAX_TIMES_NGINX = 1.3;

/** Without nginx only the memory of the service is measured. */
export async function benchMedia(): Promise<readonly Goal[]> {
  await using world = await openMediaWorld();
  const toUrl = (callId: string) => `/recording/stream-by-call-id/${callId}`;
  const peaks = await measurePeaks(world, toUrl);
  printPeaks("Stream over TLS", peaks);
  const flat = toFlatness(
    "recording stream: memory with files of 1 GB against files of 10 MB",
    peaks,
  );
  return [await compareWithNginx(world, toUrl(world.file.callId)), flat];
}

async function compareWithNginx(world: MediaWorld, path: string): Promise<Goal> {
  const goal = {
    what: "recording stream over TLS: CPU against nginx",
    is: "at most",
    limit: MAX_TIMES_NGINX,
  } as const;
  const version = findNginx();
  if (version === undefined) {
    console.log(
      "\nSkipped: there is no nginx on this machine, so nothing to compare a stream with.",
    );
    return { ...goal, measured: undefined };
  }
  const folder = join(world.folder, "nginx");
  await mkdir(folder);
  await using nginx = await startNginx({ folder, pair: world.pair, file: world.file.path });
  await using secure = await world.serve("TLS");
  await using plain = await world.serve("plain HTTP");
  const turns = await takeTurns(
    {
      secure: () => measurePerGigabyte(world, secure, `${secure.baseUrl}${path}`),
      nginxSecure: () => measurePerGigabyte(world, nginx, nginx.secureUrl),
      plain: () => measurePerGigabyte(world, plain, `${plain.baseUrl}${path}`),
      nginxPlain: () => measurePerGigabyte(world, nginx, nginx.plainUrl),
    },
    TURNS,
  );
  const measured = toTurnMedian(turns, (turn) => turn.secure / turn.nginxSecure);
  printTable(
    `CPU seconds for each GB, ${DOWNLOADS} downloads at once of ${world.file.bytes / 1e6} MB; ${version}, ${CIPHER}`,
    [
      ["", "the service", "nginx", "ratio"],
      [
        "TLS",
        toFixed((turn) => turn.secure),
        toFixed((turn) => turn.nginxSecure),
        measured.toFixed(2),
      ],
      [
        "plain HTTP",
        toFixed((turn) => turn.plain),
        toFixed((turn) => turn.nginxPlain),
        toFixed((turn) => turn.plain / turn.nginxPlain),
      ],
    ],
  );
  return { ...goal, measured };

  function toFixed(read: (turn: (typeof turns)[number]) => number): string {
    return toTurnMedian(turns, read).toFixed(2);
  }
}
