// The names of files in an export's folder that no import reads as records.

// Not *.json, so that an import of the folder does not take it for records.
export const MANIFEST = "export.manifest";

/** The earlier states, for people: an import reads only the current ones. */
export const HISTORY = "history.jsonl";
