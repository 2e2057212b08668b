// A recording as base64 in the envelope, against the same recording as a stream.
import type { Goal } from "../goals.ts";
import { printTable } from "../table.ts";
import { takeTurns, toTurnMedian } from "../turns.ts";
import { DOWNLOADS } from "./downloads.ts";
import { measurePerGigabyte, openMediaWorld } from "./media-world.ts";
import { measurePeaks, printPeaks, toFlatness } from "./memory.ts";

const TURNS = 3;
const MAX_TIMES_STREAM = 2.7;

export async function benchBase64(): Promise<readonly Goal[]> {
  await using world = await openMediaWorld();
  const peaks = await measurePeaks(world, (callId) => `/recording/by-call-id/${callId}`);
  printPeaks("base64 over TLS", peaks);

  await using secure = await world.serve("TLS");
  await using plain = await world.serve("plain HTTP");
  const { callId } = world.file;
  const base64 = `/recording/by-call-id/${callId}`;
  const stream = `/recording/stream-by-call-id/${callId}`;
  const turns = await takeTurns(
    {
      secureBase64: () => measurePerGigabyte(world, secure, `${secure.baseUrl}${base64}`),
      secureStream: () => measurePerGigabyte(world, secure, `${secure.baseUrl}${stream}`),
      plainBase64: () => measurePerGigabyte(world, plain, `${plain.baseUrl}${base64}`),
      plainStream: () => measurePerGigabyte(world, plain, `${plain.baseUrl}${stream}`),
    },
    TURNS,
  );
  const toMiddle = (read: (turn: (typeof turns)[number]) => number) => toTurnMedian(turns, read);
  const secureRatio = toMiddle((turn) => turn.secureBase64 / turn.secureStream);
  const plainRatio = toMiddle((turn) => turn.plainBase64 / turn.plainStream);
  const toLine = (name: string, figures: readonly number[]) => [
    name,
    ...figures.map((figure) => figure.toFixed(2)),
  ];
  printTable(
    `CPU seconds for each GB of recording, ${DOWNLOADS} downloads at once of ${world.file.bytes / 1e6} MB`,
    [
      ["", "base64", "stream", "ratio"],
      toLine("TLS", [
        toMiddle((turn) => turn.secureBase64),
        toMiddle((turn) => turn.secureStream),
        secureRatio,
      ]),
      toLine("plain HTTP", [
        toMiddle((turn) => turn.plainBase64),
        toMiddle((turn) => turn.plainStream),
        plainRatio,
      ]),
    ],
  );
  const goal = { is: "at most", limit: MAX_TIMES_STREAM } as const;
  return [
    { ...goal, what: "base64 over TLS: CPU against the stream", measured: secureRatio },
    { ...goal, what: "base64 over plain HTTP: CPU against the stream", measured: plainRatio },
    toFlatness("base64: memory with files of 1 GB against files of 10 MB", peaks),
  ];
}
