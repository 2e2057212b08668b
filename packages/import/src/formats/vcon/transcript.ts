// The transcript in the analyses of a vCon. Speech recognisers differ. Four forms are read: plain text, an object with
// the text, a list of segments, and any of these as JSON in a string.
import { isObject, parseJson } from "../../json.ts";
import { readText } from "../json-value.ts";
import type { Part, Vcon } from "./vcon.ts";

const TYPES = ["transcript", "wtf_transcription", "diarized"];
const TEXT_KEYS = ["transcript", "text", "segments", "utterances", "results"];

// Deeper than any real transcript.
const MAX_DEPTH = 6;

/** The first type of transcript that has text: one text for each dialog, separated by empty lines. */
export function readTranscript({ analysis }: Vcon): string | undefined {
  for (const type of TYPES) {
    const texts = new Map<string, string>();
    for (const part of analysis) {
      const dialog = JSON.stringify(part["dialog"] ?? null);
      const text =
        part["type"] === type && !texts.has(dialog)
          ? toText(part["body"] ?? part["transcript"], 0)
          : undefined;
      if (text !== undefined) texts.set(dialog, text);
    }
    if (texts.size > 0) return [...texts.values()].join("\n\n");
  }
  return undefined;
}

/** The text of the first analysis of that type, if it is plain text. */
export function readAnalysis({ analysis }: Vcon, type: string): string | undefined {
  const part = analysis.find((candidate) => candidate["type"] === type);
  return typeof part?.["body"] === "string" ? readText(part, "body") : undefined;
}

function toText(value: unknown, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (typeof value === "string") return fromString(value, depth);
  if (Array.isArray(value))
    return (
      value
        .map((item) => toText(item, depth + 1))
        .filter(Boolean)
        .join("\n") || undefined
    );
  return isObject(value) ? fromObject(value, depth) : undefined;
}

function fromString(text: string, depth: number): string | undefined {
  const parsed = /^\s*[[{]/.test(text) ? parseJson(text) : { fault: "" };
  if ("value" in parsed) return toText(parsed.value, depth + 1);
  return text.trim() === "" ? undefined : text;
}

function fromObject(part: Part, depth: number): string | undefined {
  for (const key of TEXT_KEYS) {
    const text = toText(part[key], depth + 1);
    if (text === undefined) continue;
    const speaker = key === "text" ? readText(part, "speaker") : undefined;
    return speaker === undefined ? text : `${speaker}: ${text}`;
  }
  return undefined;
}
