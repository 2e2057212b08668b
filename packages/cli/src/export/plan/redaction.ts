// The fields that `--redact` names.
import { ALWAYS_MASKED, type Field, RECORD_FIELDS } from "@call-media/handover";
import { toSuggestion } from "../../command-line/suggestion.ts";
import { UsageError } from "../../failures/usage-error.ts";

/** @throws UsageError for a field that there is not, and for datetime, which order and folders of an export tell. */
export function parseRedaction(text: string): readonly Field[] {
  const wanted = text.split(",").map((name) => name.trim());
  for (const name of wanted)
    if (!RECORD_FIELDS.some((field) => field === name))
      throw new UsageError(
        `--redact: there is no field ${name} of a record${toSuggestion(name, RECORD_FIELDS)}`,
      );
  if (wanted.includes("datetime"))
    throw new UsageError("--redact: datetime cannot be masked, since the days are folders");
  return RECORD_FIELDS.filter((field) => wanted.includes(field) || field === ALWAYS_MASKED);
}
