// The header Recording-Sound (D37): a dictionary, whose findings are an inner list with parameters (RFC 9651, section 3.2).
import type { Media } from "@call-media/store";
import type { ResponseHeaders } from "./errors.ts";

/** No header if the audio was not inspected. */
export function toSoundHeader({ sound }: Media): ResponseHeaders {
  if (sound === undefined) return {};
  const { durationMs, codec, rate, channels, findings } = sound;
  const members = [
    ["duration", durationMs === undefined ? undefined : (durationMs / 1000).toFixed(3)],
    // The names of unknown codecs come from the file.
    ["codec", codec !== undefined && isPlain(codec) ? `"${codec}"` : undefined],
    ["rate", rate],
    ["channels", channels],
    ["findings", `(${findings.map(toItem).join(" ")})`],
  ];
  const known = members.filter(([, value]) => value !== undefined);
  return { "Recording-Sound": known.map(([key, value]) => `${key}=${value}`).join(", ") };
}

const isPlain = (text: string): boolean => /^[ !#-[\]-~]{1,32}$/.test(text);

type Finding = NonNullable<Media["sound"]>["findings"][number];

function toItem({ kind, percent, channels }: Finding): string {
  const share = percent === undefined ? "" : `;percent=${percent}`;
  const which = channels === undefined ? "" : `;channels="${channels.join()}"`;
  return `"${kind}"${share}${which}`;
}
