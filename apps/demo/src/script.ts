// Dialogues in the form of this folder: one line a turn, with {slots} for values that differ between calls.

export interface Turn {
  party: "Agent" | "Customer" | "System";
  label: string | null;
  text: string;
}

/** Words by slot name; a dialogue that names a slot not given here is an error. */
export type Slots = Record<string, string>;

const TURN = /^(Agent|Customer|System)(?: \((.+?)\))?:(.*)$/;

/** Reads lines `Party: text` or `Party (label): text`, leaves out empty ones, and fills the slots in. */
export function parseTurns(script: string, slots: Slots): Turn[] {
  const lines = script.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").map((line) => parseTurn(line, slots));
}

function parseTurn(line: string, slots: Slots): Turn {
  const [, party, label, text] = TURN.exec(line) ?? [];
  if (party !== "Agent" && party !== "Customer" && party !== "System") {
    throw new Error(`not a turn of a dialogue: ${line}`);
  }
  return { party, label: label ?? null, text: fill(text ?? "", slots).trim() };
}

function fill(text: string, slots: Slots): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const word = slots[name];
    if (word === undefined) throw new Error(`no word for the slot {${name}} in: ${text}`);
    return word;
  });
}

/** The turns as the transcript text of a record. */
export function toTranscript(turns: readonly Turn[]): string {
  return turns.map(({ party, text }) => `${party}: ${text}`).join("\n");
}
