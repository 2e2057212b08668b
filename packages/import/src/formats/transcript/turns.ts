// Turns of a conversation in lines of text with speakers in front: "Agent: Hello.", "[12:18] <ann> hello".
import { isRole } from "./conversation.ts";

export interface Turn {
  /** Undefined for an event in the log, which nobody says. */
  readonly speaker: string | undefined;
  readonly text: string;
  /** A date and time, or only a time, unchanged. */
  readonly time: string | undefined;
}

const TIME =
  String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?` +
  String.raw`|\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[AaPp]\.?[Mm]\.?)?`;
const NAME = String.raw`\p{L}[\p{L}\p{N} ._'’@#&/()-]{0,39}?`;

// Emphasis around the speaker is Markdown. A colon that begins a URL does not end a speaker. White space behind a name is
// bounded, because a line of white space would be divided in every possible way.
const LABELLED = new RegExp(
  String.raw`^\s*(?:[[(]?(?<before>${TIME})[\])]?\s*(?:[-–|,]\s*)?)?` +
    String.raw`\*{0,2}(?<speaker>${NAME})\*{0,2}\s{0,4}(?:[[(](?<behind>${TIME})[\])])?\s{0,4}:(?!\/\/)\*{0,2}(?:\s+(?<text>.*))?$`,
  "u",
);
const CHANNEL: readonly RegExp[] = [
  new RegExp(String.raw`^\[(?<before>${TIME})\] <(?<speaker>[^<>]{1,64})> ?(?<text>.*)$`, "u"),
  new RegExp(String.raw`^\[(?<before>${TIME})\]\s+\* (?<speaker>\S{1,64}) (?<text>.*)$`, "u"),
  /^===\s+(?<text>.*)$/u,
];

/** The turn that a line begins; undefined if the line continues the turn before. */
export type ReadTurn = (line: string) => Turn | undefined;

export interface TurnForm {
  readonly read: ReadTurn;
  readonly speakers: readonly string[];
  /** The time of the first turn that has one. */
  readonly firstTime: string | undefined;
}

/**
 * The speakers that the beginning of a text shows: names that repeat, words for roles, and any name if each line has one.
 * Undefined for a text without speakers.
 */
export function learnTurns(beginning: string): TurnForm | undefined {
  const lines = beginning.split(/\r?\n/).filter((line) => line.trim() !== "");
  const inChannel = lines.flatMap((line) => match(line, CHANNEL.slice(0, 2)) ?? []);
  if (inChannel.length > 0 && inChannel.length * 2 >= lines.length)
    return toForm((line) => match(line, CHANNEL), inChannel);
  const turns = lines.flatMap((line) => match(line, [LABELLED]) ?? []);
  const speakers = findSpeakers(turns, lines.length);
  if (speakers.size === 0) return undefined;
  const isSpoken = ({ speaker }: Turn) => speaker !== undefined && speakers.has(speaker);
  const read: ReadTurn = (line) => {
    const turn = match(line, [LABELLED]);
    return turn !== undefined && isSpoken(turn) ? turn : undefined;
  };
  return toForm(read, turns.filter(isSpoken));
}

/** A turn with the next line of its text. */
export function goOn<T extends Turn>(turn: T, line: string): T {
  const more = line.trim();
  if (more === "") return turn;
  return { ...turn, text: turn.text === "" ? more : `${turn.text}\n${more}` };
}

function toForm(read: ReadTurn, turns: readonly Turn[]): TurnForm {
  const speakers = [...new Set(turns.flatMap(({ speaker }) => speaker ?? []))];
  return { read, speakers, firstTime: turns.find(({ time }) => time !== undefined)?.time };
}

function findSpeakers(turns: readonly Turn[], lineCount: number): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { speaker = "" } of turns) counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
  const isDialogue = turns.length === lineCount && counts.size < turns.length;
  const named = [...counts].filter(([name, count]) => isDialogue || count > 1 || isRole(name));
  return new Set(named.length > 1 || isDialogue ? named.map(([name]) => name) : []);
}

function match(line: string, patterns: readonly RegExp[]): Turn | undefined {
  for (const pattern of patterns) {
    const groups = pattern.exec(line)?.groups;
    if (groups === undefined) continue;
    const { speaker, text = "", before, behind } = groups;
    return { speaker, text: text.trim(), time: before ?? behind };
  }
  return undefined;
}
