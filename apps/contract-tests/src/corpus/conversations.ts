// Converts the contact-centre conversations of the corpus from JSON to calls and chats in the archive's own format.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type CorpusSource, type ExpectedCall, type JsonlEntry, writeJsonl } from "./source.ts";

interface Conversation {
  readonly ConversationId: string;
  readonly StartTime: string;
  readonly EndTime: string;
  readonly Content: string;
}

interface Message {
  readonly party: string;
  readonly text: string;
}

const NAME = "ms-ckm";

export async function loadConversations(corpus: string, scratch: string): Promise<CorpusSource> {
  const folder = join(corpus, "metadata", NAME);
  const files = await readdir(folder, { recursive: true });
  const names = files.filter((name) => name.endsWith(".json"));
  const conversations = await Promise.all(
    names.map(async (name): Promise<Conversation> => {
      return JSON.parse(await readFile(join(folder, name), "utf8"));
    }),
  );
  const entries = conversations.flatMap(toEntries);
  return {
    import: { format: "jsonl", paths: [await writeJsonl(scratch, NAME, entries)] },
    rows: entries.length,
    rejected: [],
    calls: conversations.map(toExpected),
  };
}

function toExpected(conversation: Conversation): ExpectedCall {
  return {
    call_id: conversation.ConversationId,
    record: toRecord(conversation),
    chat: toMessages(conversation).map(({ text }) => text),
  };
}

function toEntries(conversation: Conversation): JsonlEntry[] {
  const { ConversationId: call_id, StartTime } = conversation;
  return [
    { kind: "call", call_id, ...toRecord(conversation) },
    ...toMessages(conversation).map(({ party, text }) => ({
      kind: "chat",
      call_id,
      transcript: text,
      datetime: StartTime,
      party_type: party.toLowerCase(),
      label: party,
      room_id: call_id,
    })),
  ];
}

function toRecord({ StartTime, EndTime, Content }: Conversation) {
  // Neither has an offset, so the difference holds in any time zone without a clock change in between.
  const seconds = (Date.parse(`${EndTime}Z`) - Date.parse(`${StartTime}Z`)) / 1_000;
  const isSpoken = toMessages({ Content }).length === 0;
  return {
    datetime: StartTime,
    campaign: NAME,
    handle_time: seconds,
    transcript: isSpoken ? Content : null,
  };
}

/** Splits a text that names its speakers into turns: `**Agent:** ...`. */
function toMessages({ Content }: Pick<Conversation, "Content">): Message[] {
  const turns = Content.matchAll(
    /\*\*(Agent|Customer):\*\*([^]*?)(?=\*\*(?:Agent|Customer):\*\*|$)/g,
  );
  return [...turns].map(([, party = "", text = ""]) => ({ party, text: text.trim() }));
}
