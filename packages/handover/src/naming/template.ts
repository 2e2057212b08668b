// Names of exported files, from a template and a record, safe on every file system.
import type { CallRecord } from "@call-media/client";
import { RECORD_FIELDS } from "../export/fields.ts";
import { cutText } from "./cut-text.ts";
import { MAX_STEM_BYTES, toBytes, toSafeStem } from "./file-name.ts";

/** The placeholders of a template: any field of the record, and these. */
const EXTRAS = ["date", "time", "part"] as const;

export const DEFAULT_TEMPLATE = "{call_id}";

/** For an empty field. */
const NOTHING = "none";

const PART = "{part}";

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** The fault of a template that cannot yield a file name, in the words of `--name`; undefined if it is valid. */
export function findTemplateFault(template: string): string | undefined {
  const known: ReadonlySet<string> = new Set([...EXTRAS, ...RECORD_FIELDS]);
  for (const [whole, name = ""] of template.matchAll(PLACEHOLDER))
    if (!known.has(name))
      return `--name: ${whole} is neither a field of a record nor ${EXTRAS.map((one) => `{${one}}`).join(", ")}`;
  if (/[{}]/.test(template.replaceAll(PLACEHOLDER, "")))
    return "--name: { and } stand around the name of a field, such as {call_id}";
  if (/[/\\]/.test(template))
    return "--name is a name without folders: each day has a folder already";
  return template.trim() === "" ? "--name must not be empty" : undefined;
}

/** The name without its extension. From the second part on it ends with the number, unless the template includes it. */
export function toStem(template: string, record: CallRecord, part: number): string {
  // Some services return a number here.
  const { datetime }: { readonly datetime: unknown } = record;
  const written = typeof datetime === "string" ? datetime : JSON.stringify(datetime ?? "");
  const [date = "", time = ""] = written.replaceAll('"', "").split(/[T ]/);
  const number = String(part);
  const extras: Record<string, string> = { date, time: time.slice(0, 8), part: number };
  const fill = (text: string) =>
    text.replaceAll(PLACEHOLDER, (_, name: string) => {
      const value = extras[name] ?? record[name as keyof CallRecord];
      return value === null || value === "" ? NOTHING : String(value);
    });
  const at = template.lastIndexOf(PART);
  if (at === -1) return toSafeStem(fill(template), NOTHING, part > 1 ? `-${part}` : "");
  // The number always fits, however long the text before it.
  const room = MAX_STEM_BYTES - number.length;
  const before = cutText(fill(template.slice(0, at)).normalize("NFC"), room, toBytes);
  return toSafeStem(before + fill(template.slice(at)), NOTHING);
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  "audio/wav": ".wav",
  "audio/x-wav": ".wav",
  "audio/mpeg": ".mp3",
  "audio/ogg": ".ogg",
  "audio/mp4": ".m4a",
  "video/mp4": ".mp4",
};

/** True for the extensions of recordings; any other may be the end of a number. */
export const isKnownExtension = (extension: string) =>
  Object.values(EXTENSIONS).includes(extension);

/**
 * The extensions of audio and video. Any other could be one that a system runs or a browser shows as a page, such as
 * .exe or .html.
 */
const PLAYED =
  /\.(?:3g[ap2]|aac|aiff?|alaw|al|amr|asf|au|aud|avi|awb|caf|ds[2s]|flac|g72[2369]a?|gsm|m4[av]|mk[av]|mov|mp[234]|mpe?g|mpga|nmf|og[agv]|opus|pcm|ra|raw|sln\d*|snd|spx|ulaw|ul|vox|wave?|wav49|web[am]|wm[av])$/i;

/** From the first name with an audio or video extension, else from the media type; in lower case. */
export function toExtension(names: readonly (string | undefined)[], contentType: string): string {
  for (const name of names) {
    const [extension] = PLAYED.exec(name?.trim() ?? "") ?? [];
    if (extension !== undefined) return extension.toLowerCase();
  }
  return EXTENSIONS[contentType.split(";")[0]?.trim().toLowerCase() ?? ""] ?? ".bin";
}
