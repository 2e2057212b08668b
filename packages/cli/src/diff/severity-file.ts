// Severities of rules that the owner of a document keeps in a file, by rule id.
import { SEVERITIES, SEVERITY_IDS, type Severities } from "@call-media/contract-diff";
import { UsageError } from "@call-media/terminal";
import { parseMapping, parseText, readDocumentFile } from "../files/document-file.ts";

/** @throws UsageError naming the rule and the fault. */
export async function readSeverities(file: string): Promise<Severities> {
  const mapping = parseMapping(await readDocumentFile(file), file, SEVERITY_IDS);
  const entries = Object.keys(mapping).map((id) => {
    const word = parseText(mapping, id, file);
    const severity = SEVERITIES.find((known) => known === word);
    if (severity === undefined)
      throw new UsageError(
        `${file}: ${id} is ${word}, and a severity is one of ${SEVERITIES.join(", ")}`,
      );
    return [id, severity] as const;
  });
  return Object.fromEntries(entries);
}
