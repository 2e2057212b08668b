// What an import by a mapping says is in doubt, whether it stops or not.
import { importFiles, type ImportOptions, ImportStopped } from "../../src/index.ts";
import { createArchive, writeLines } from "./archives.ts";

/** Each as "stop columns: agent: {Queue}", with the first that it is about. */
export async function bring(
  mapping: object,
  lines: readonly (string | object)[],
  { file = "log.csv", ...options }: Partial<ImportOptions> & { readonly file?: string } = {},
): Promise<readonly string[]> {
  const mappingFile = await writeLines("map.json", [{ mapping: 2, ...mapping }]);
  const paths = [await writeLines(file, lines)];
  const store = createArchive("Europe/London");
  const doubts = await importFiles({ store, paths, mappingFile, ...options }).then(
    (report) => report.doubts ?? [],
    (error: unknown) => {
      if (!(error instanceof ImportStopped)) throw error;
      return error.doubts;
    },
  );
  return doubts.map(({ name, effect, first }) => `${effect} ${name}: ${first.join("; ")}`);
}
