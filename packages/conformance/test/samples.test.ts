// What the check finds in an archive to look at, when no field of a record tells where it is.
import { expect, test } from "vitest";
import { checkService } from "../src/index.ts";
import { signingIn, startService } from "./services.ts";

const credentials = { secretID: "id-of-an-application", secretKey: "a-secret-of-some-length" };

/** Calls of three days, of which every record has these fields. */
function toCalls(fields: object) {
  return Array.from({ length: 30 }, (_, at) => {
    const datetime = `2026-03-0${1 + (at % 3)}T10:00:00Z`;
    return { datetime, call_id: `C-${at}`, ...fields };
  });
}

/** A service that has these calls, and answers what is not a search as `answer` says, with the call that is asked for. */
function serving(
  calls: readonly { call_id: string }[],
  answer: (url: string, id: string) => unknown,
) {
  return startService(
    signingIn(({ url = "" }, response) => {
      const id = /by-call-id\/([^/?]+)$/.exec(url)?.[1] ?? "";
      const data = url.startsWith("/metadata/by-custom") ? calls : answer(url, id);
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ isError: false, errorMessage: null, data }));
    }),
  );
}

test("chats are looked for where no record hints at one", async () => {
  const message = { call_id: "C-99", transcript: "Hello.", datetime: "2026-03-01T10:00:00Z" };
  const calls = toCalls({ media: null, transcript: null });
  await using service = await serving(calls, (url) => (url.startsWith("/chat/") ? [message] : []));
  const { findings } = await checkService({ baseUrl: service.baseUrl, credentials });
  expect(findings).toContainEqual(expect.objectContaining({ requirement: "chat.echo" }));
});

test("recordings are looked for where they are, also when they come as a list", async () => {
  const calls = toCalls({ recordings: [] });
  const last = { ...calls[0], call_id: "C-last", recordings: [{ name: "a.wav" }] };
  const recording = { success: true, filename: "a.wav", base64: "*" };
  await using service = await serving([...calls, last], (url, id) =>
    url.startsWith("/recording/by-call-id/") && id === "C-last" ? recording : [],
  );
  const { findings } = await checkService({ baseUrl: service.baseUrl, credentials });
  expect(findings).toContainEqual(expect.objectContaining({ requirement: "recording.base64" }));
});
