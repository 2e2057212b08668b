// All that an archive answers: every record, chat, user, flag and some recordings, over HTTP.
import { createListener, listen } from "@call-media/server";
import { openStore } from "@call-media/store/sqlite";
import type { DemoArchive } from "./archive.ts";
import { ask } from "./serving.ts";

export interface Answered {
  readonly status: number;
  /** The body, decoded as Latin-1. */
  readonly text: string;
}

// The demo archive has 650 calls.
const PAGES = 13;
const RANGE = "startDate=2000-01-01&endDate=2099-12-31";

/** The answers to the same questions in the same order. Throws what keeps the archive from being opened. */
export async function readEverything(archive: DemoArchive): Promise<Answered[]> {
  await using store = await openStore({ directory: archive.directory });
  const service = createListener({ store });
  const { baseUrl, close } = await listen(service, { host: "127.0.0.1", port: 0 });
  const answers: Answered[] = [];
  for (const { path, json } of toQuestions(archive)) {
    const { status, body } = await ask(`${baseUrl}${path}`, {
      bearer: archive.apiKey,
      ...(json && { json }),
    });
    answers.push({ status, text: body.toString("latin1") });
  }
  await close();
  return answers;
}

function toQuestions({ examples }: DemoArchive): readonly { path: string; json?: object }[] {
  const pages = Array.from({ length: PAGES }, (_, page) => `pageIndex=${page}&${RANGE}`);
  return [
    { path: `/metadata/by-call-id/${examples.call_id}` },
    { path: `/metadata/by-reference/${examples.ref_id}` },
    { path: `/chat/by-call-id/${examples.chat_call_id}` },
    { path: `/recording/by-call-id/${examples.call_id}` },
    { path: "/users/basic-info?status=all" },
    { path: "/users/security-info?user_id=1" },
    { path: "/flags/public" },
    ...pages.map((query) => ({ path: `/metadata/by-custom-fields?${query}`, json: {} })),
    { path: `/metadata/search?${pages[0]}`, json: { media: "voice" } },
  ];
}
