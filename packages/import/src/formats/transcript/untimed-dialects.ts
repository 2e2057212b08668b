// Transcripts without a time for each turn: a text with speakers, items, utterances, pairs.
import { RowFault } from "../../source-row.ts";
import type { JsonRecord } from "../json-format.ts";
import { readObjects, readText } from "../json-value.ts";
import type { Message } from "./conversation.ts";
import { type Dialect, toStart } from "./dialect.ts";
import { goOn, learnTurns, type Turn } from "./turns.ts";

export const labelledContent: Dialect = {
  records: ["", "*", "conversations.*"],
  marks: [["ConversationId", "StartTime", "Content"]],
  read: (record) => ({
    callId: readText(record, "ConversationId"),
    start: toStart(readText(record, "StartTime")),
    messages: readLabelled(readText(record, "Content") ?? ""),
  }),
};

export const conversationItems: Dialect = {
  records: ["analysisInput.conversations.*", "conversations.*", "*", ""],
  marks: [["id", "conversationItems"]],
  read: (record) => ({
    callId: readText(record, "id"),
    messages: readObjects(record, "conversationItems").map((item) => ({
      speaker: readText(item, "participantId", "role"),
      role: readText(item, "role"),
      text: readText(item, "text") ?? "",
    })),
  }),
};

export const utterances: Dialect = {
  records: ["*", "", "conversations.*"],
  marks: [["conversation_id", "utterances"]],
  read: (record) => ({
    callId: readText(record, "conversation_id"),
    messages: readObjects(record, "utterances").map((utterance) => ({
      speaker: readText(utterance, "speaker"),
      text: readText(utterance, "text") ?? "",
    })),
  }),
};

export const pairs: Dialect = {
  records: ["*", "", "train.*", "dev.*", "test.*"],
  marks: [["convo_id", "original"]],
  read: (record) => ({ callId: readText(record, "convo_id"), messages: readPairs(record) }),
};

// Some exports put the whole conversation into one line, where only emphasis marks the speaker: **Agent:** Hello.
// **Customer:** Hi.
const EMPHASISED = /(?<=\S)[^\S\n]+(?=\*\*[^*\n]{1,40}:\*\*)/g;

function readLabelled(text: string): readonly Message[] {
  const content = text.replace(EMPHASISED, "\n");
  const form = learnTurns(content);
  if (form === undefined)
    throw new RowFault(
      "Content: no line begins with a speaker, so it is one text and not messages; by a mapping, as json, it can become the transcript of a call",
    );
  const turns: Turn[] = [];
  for (const line of content.split(/\r?\n/)) {
    const turn = form.read(line);
    const last = turns.pop();
    if (last !== undefined) turns.push(turn === undefined ? goOn(last, line) : last);
    if (turn !== undefined) turns.push(turn);
  }
  return turns;
}

function readPairs(record: JsonRecord): readonly Message[] {
  const list = record["original"];
  if (!Array.isArray(list)) throw new RowFault("original: must be an array");
  return list.map((pair: unknown, index) => {
    const [speaker, text] = Array.isArray(pair) ? pair : [];
    if (typeof speaker !== "string" || typeof text !== "string")
      throw new RowFault(`original[${index}]: must be a speaker and what he says`);
    return { speaker, text };
  });
}
