// Shows what the archive found in the bytes of a recording (D37), one sentence each below the player.
import type { SoundFinding } from "@call-media/client";
import { language } from "../text/text.ts";
import { Icon } from "../ui/icon.tsx";
import type { Sound } from "./sound.ts";

/** Kept with the player, so that the first page does not load them. */
const WORDS = {
  en: {
    recording: "The recording",
    channel: "Channel",
    still: "is silent from beginning to end.",
    speechless: "nobody seems to speak",
    ends: "The recording ends early",
    of: "% of it is there",
    broken: "The recording cannot be read as sound, or only in part.",
  },
  de: {
    recording: "Die Aufnahme",
    channel: "Kanal",
    still: "ist von Anfang bis Ende still.",
    speechless: "offenbar spricht niemand",
    ends: "Die Aufnahme endet zu früh",
    of: "% davon sind da",
    broken: "Die Aufnahme ist nicht oder nur zum Teil als Ton lesbar.",
  },
} as const;

/** Undefined for findings meant for operators. */
function toSentence({ kind, percent, channels }: SoundFinding): string | undefined {
  const t = WORDS[language.value];
  const which = channels.length === 0 ? t.recording : `${t.channel} ${channels.join(", ")}`;
  switch (kind) {
    case "truncated":
      return `${t.ends}${percent === undefined ? "" : `: ${percent} ${t.of}`}.`;
    case "malformed":
    case "no-samples":
    case "not-sound":
      return t.broken;
    case "silent":
    case "channel-silent":
      return `${which} ${t.still}`;
    case "no-speech":
    case "channel-no-speech":
      return `${which}: ${t.speechless}.`;
    default:
      return undefined;
  }
}

/** Renders nothing if the archive found nothing, or never examined the recording. */
export function Findings({ sound }: { readonly sound: Sound }) {
  const { findings = [] } = sound.head.value?.sound ?? {};
  const shown = findings.filter((finding) => toSentence(finding) !== undefined);
  if (shown.length === 0) return null;
  const isBad = shown.some(({ kind }) => !kind.includes("speech"));
  return (
    <div class={`notice findings${isBad ? " bad" : ""}`} role="status">
      <Icon name={isBad ? "alert" : "info"} />
      <p>{shown.map(toSentence).join(" ")}</p>
    </div>
  );
}
