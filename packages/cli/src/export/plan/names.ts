// Names of exported files: from a template and a record, safe on every file system.
import { fieldsOf } from "@call-media/api";
import type { CallRecord } from "@call-media/client";
import { UsageError } from "../../failures/usage-error.ts";
import { toSafeStem } from "../../files/file-name.ts";

/** What a template is filled with: any field of the record, and these. */
const EXTRAS = ["date", "time", "part"] as const;

export const DEFAULT_TEMPLATE = "{call_id}";

/** For a field that has nothing in it. */
const NOTHING = "none";

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** @throws UsageError naming what no file name can be made of. */
export function checkTemplate(template: string): string {
  const known: ReadonlySet<string> = new Set([...EXTRAS, ...fieldsOf("MetadataRecord")]);
  for (const [whole, name = ""] of template.matchAll(PLACEHOLDER))
    if (!known.has(name))
      throw new UsageError(
        `--name: ${whole} is neither a field of a record nor ${EXTRAS.map((one) => `{${one}}`).join(", ")}`,
      );
  if (/[{}]/.test(template.replaceAll(PLACEHOLDER, "")))
    throw new UsageError("--name: { and } stand around the name of a field, such as {call_id}");
  if (/[/\\]/.test(template))
    throw new UsageError("--name is a name without folders: each day has a folder already");
  if (template.trim() === "") throw new UsageError("--name must not be empty");
  return template;
}

/** The name without its extension. From the second part on it ends with the number, unless the template has it. */
export function toStem(template: string, record: CallRecord, part: number): string {
  const [date = "", time = ""] = (record.datetime ?? "").split(/[T ]/);
  const extras: Record<string, string> = { date, time: time.slice(0, 8), part: String(part) };
  const filled = template.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = extras[name] ?? record[name as keyof CallRecord];
    return value === null || value === "" ? NOTHING : String(value);
  });
  const isNumbered = part > 1 && !template.includes("{part}");
  return toSafeStem(filled, NOTHING, isNumbered ? `-${part}` : "");
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  "audio/wav": ".wav",
  "audio/x-wav": ".wav",
  "audio/mpeg": ".mp3",
  "audio/ogg": ".ogg",
  "audio/mp4": ".m4a",
  "video/mp4": ".mp4",
};

/** Of a recording; any other may be the end of a number. */
export const isKnownExtension = (extension: string) =>
  Object.values(EXTENSIONS).includes(extension);

/** By the first of the names that has one, else by the media type; in small letters. */
export function toExtension(names: readonly (string | undefined)[], contentType: string): string {
  for (const name of names) {
    const [extension] = /\.[a-z\d]{1,8}$/i.exec(name?.trim() ?? "") ?? [];
    if (extension !== undefined) return extension.toLowerCase();
  }
  return EXTENSIONS[contentType.split(";")[0]?.trim().toLowerCase() ?? ""] ?? ".bin";
}
