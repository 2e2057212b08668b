// What a runtime meets: a fake over HTTP that fails twice, a redirect, and the page that runs the journey in a browser.
import { createHash } from "node:crypto";

import { createFakeService, type FakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import type { World } from "./journey.ts";

const DAY = "2026-03-02";
const CALLS = 120;

export interface OpenWorld extends AsyncDisposable {
  readonly world: World;
}

/** A new one for each runtime: its faults happen once. `program` is the journey for browsers. */
export async function openWorld(program: string): Promise<OpenWorld> {
  const bytes = new Uint8Array(300_000).map((_, index) => index * 7);
  bytes.set(new TextEncoder().encode("RIFF....WAVE"));
  const calls = Array.from({ length: CALLS }, (_, index) => ({
    call_id: String(index),
    agent: "ana",
    datetime: `${DAY}T08:00:00+01:00`,
    ...(index === 7 && { recordings: [{ filename: "a.wav", bytes }] }),
  }));
  const service = createFakeService({ calls });
  service.inject({ kind: "status", status: 503, operation: "searchMetadata", skip: 1 });
  service.inject({ kind: "cut", afterBytes: 100_000, operation: "streamRecordingByCallId" });
  const served = await serveFake({ ...service, fetch: withPages(service, program) });
  return {
    world: {
      baseUrl: served.baseUrl,
      credentials: service.credentials,
      search: { startDate: DAY, endDate: DAY },
      calls: CALLS,
      recording: {
        call_id: "7",
        bytes: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex"),
      },
    },
    [Symbol.asyncDispose]: () => served.close(),
  };
}

/** The fake, and beside it an address that redirects, and a page with the program for a browser. */
function withPages({ baseUrl, fetch }: FakeService, program: string): FakeService["fetch"] {
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (pathname.startsWith("/moved/"))
      return new Response(null, { status: 307, headers: { Location: `${baseUrl}/flags/public` } });
    if (pathname === "/journey.js") return toPage(program, "text/javascript");
    if (pathname === "/")
      return toPage('<script type="module" src="/journey.js"></script>', "text/html");
    return fetch(input, init);
  };
}

function toPage(text: string, type: string): Response {
  return new Response(text, { headers: { "Content-Type": `${type}; charset=utf-8` } });
}
