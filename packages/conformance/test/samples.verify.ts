// What the check finds in an archive to look at, when no field of a record tells where it is.
import { expect, test } from "vitest";
import { type ApiFinding, checkService } from "../src/index.ts";
import { createService, type LocalService, signedIn, toEnvelope } from "./services.ts";

const credentials = { secretID: "id-of-an-application", secretKey: "a-secret-of-some-length" };

interface Call {
  readonly call_id: string;
  readonly datetime: string;
}

/** Thirty calls of three days, each of which has these fields. */
function toCalls(fields: object): Call[] {
  return Array.from({ length: 30 }, (_, at) => {
    const datetime = `2026-03-0${1 + (at % 3)}T10:00:00Z`;
    return { datetime, call_id: `C-${at}`, ...fields };
  });
}

/** What a search answers: undefined to refuse it. */
type Search = (query: { start: string; end: string; page: number }) => readonly Call[] | undefined;

/** A service with this search, which answers all else as `answer` says, with the identifier that is asked for. */
function serving(search: Search, answer: (path: string, id: string) => unknown) {
  return createService(
    signedIn(({ url: { pathname, searchParams: query } }) => {
      const id = /\/by-[a-z-]+\/([^/]+)$/.exec(pathname)?.[1] ?? "";
      const [start, end] = [query.get("startDate") ?? "", query.get("endDate") ?? ""];
      const data =
        pathname === "/metadata/by-custom-fields"
          ? search({ start, end, page: Number(query.get("pageIndex")) })
          : answer(pathname, id);
      return { status: data === undefined ? 422 : 200, body: toEnvelope(data) };
    }),
  );
}

/** Every call has a chat, and in it a message of another one. */
const OTHERS_CHAT = [{ call_id: "C-99", transcript: "Hello.", datetime: "2026-03-01T10:00:00Z" }];
const chatsOfOthers = (url: string) => (url.startsWith("/chat/") ? OTHERS_CHAT : []);

async function findIn(service: LocalService): Promise<readonly ApiFinding[]> {
  const { findings } = await checkService({ ...service, credentials });
  return findings;
}

const ofRequirement = (requirement: string) => expect.objectContaining({ requirement });

test("chats are looked for where no record hints at one", async () => {
  const calls = toCalls({ media: null, transcript: null });
  const service = serving(() => calls, chatsOfOthers);
  expect(await findIn(service)).toContainEqual(ofRequirement("chat.echo"));
});

test("recordings are looked for where they are, also when they come as a list", async () => {
  const calls = toCalls({ recordings: [] });
  const last = { ...toCalls({ recordings: [{ name: "a.wav" }] })[0], call_id: "C-last" } as Call;
  const recording = { success: true, filename: "a.wav", base64: "*" };
  const service = serving(
    () => [...calls, last],
    (url, id) => (url.startsWith("/recording/by-call-id/") && id === "C-last" ? recording : []),
  );
  expect(await findIn(service)).toContainEqual(ofRequirement("recording.base64"));
});

const DAY_MS = 86_400_000;

test("calls are looked for month by month where no longer range is taken", async () => {
  const day = new Date(Date.now() - 150 * DAY_MS).toISOString().slice(0, 10);
  const calls = toCalls({}).map((call) => ({ ...call, datetime: `${day}T10:00:00Z` }));
  const service = serving(({ start, end, page }) => {
    if (Date.parse(end) - Date.parse(start) > 31 * DAY_MS) return undefined;
    return page === 0 && start <= day && day <= end ? calls : [];
  }, chatsOfOthers);
  expect(await findIn(service)).toContainEqual(ofRequirement("chat.echo"));
});

test("of an archive with many calls a day a part is read, also where the last day does not count", async () => {
  const calls = Array.from({ length: 3_000 }, (_, at) => ({
    datetime: `2026-03-0${at < 10 ? 1 : 2 + Math.floor(at / 1_000)}T10:00:00Z`,
    call_id: `C-${at}`,
  }));
  const service = serving(
    ({ start, end, page }) =>
      calls
        .filter(({ datetime }) => datetime >= start && datetime < end)
        .slice(50 * page, 50 * (page + 1)),
    chatsOfOthers,
  );
  expect(await findIn(service)).toContainEqual(ofRequirement("chat.echo"));
});

test("a reference that a call outside of the window has as well proves nothing of recordings", async () => {
  const calls = toCalls({ ref_id: "R", recordings: "a.wav" }).slice(0, 1);
  const toRecording = (filename: string) => ({ success: true, filename, base64: "AAAA" });
  const service = serving(
    ({ page }) => (page === 0 ? calls : []),
    (url) => {
      if (url.startsWith("/recording/by-call-id/")) return toRecording("a.wav");
      if (url.startsWith("/recording/by-reference/")) return toRecording("b.wav");
      return url.startsWith("/metadata/by-reference/") ? [...calls, ...calls] : calls;
    },
  );
  expect(await findIn(service)).not.toContainEqual(ofRequirement("recording.by-either"));
});

test("an unknown parameter that is refused before a token is looked for is no finding", async () => {
  const service = createService(
    signedIn(({ url, headers }) => {
      const isKnown = !url.search.includes("access_token=");
      return { status: isKnown ? (headers.has("Authorization") ? 200 : 401) : 400, body: "{}" };
    }),
  );
  const inQuery = expect.objectContaining({ url: expect.stringContaining("access_token=") });
  expect(await findIn(service)).not.toContainEqual(expect.objectContaining({ sent: inQuery }));
});
