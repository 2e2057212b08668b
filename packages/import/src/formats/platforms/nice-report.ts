// NICE CXone: the data downloads of its reports, which may be a table in the JSON of an API.
import type { ImportFormat } from "../format.ts";
import { isObject } from "../../json.ts";
import { createHead, type Head, HEAD_BYTES } from "../../head.ts";
import { ImportError } from "../../import-error.ts";
import { readElements } from "../../json-elements.ts";
import { peek } from "../../peek.ts";
import type { SourceFile } from "../../source-row.ts";

/** The report, which the API wraps in JSON. */
export const withDownloads = (report: ImportFormat): ImportFormat => ({
  ...report,
  extensions: [...report.extensions, ".json"],
  recognise: (head) => report.recognise(toReportHead(head)),
  createReader: async (options, files) => {
    const read = await report.createReader(options, files);
    return (file) => read(unwrapDownload(file));
  },
});

const BEGINNING = /^\s*\{\s*"files"\s*:\s*\{[^{}]*?"file"\s*:\s*"([A-Za-z0-9+/]*)/;

/** The head of the report in such a download, or of the file itself where it is none. */
export function toReportHead(head: Head): Head {
  const [, base64] = BEGINNING.exec(head.text) ?? [];
  return base64 === undefined ? head : createHead(Buffer.from(base64, "base64"));
}

/** The file with the report as its content, where it is such a download. */
export function unwrapDownload(file: SourceFile): SourceFile {
  return {
    ...file,
    chunks: async function* () {
      const { beginning, chunks } = await peek(file.chunks(), HEAD_BYTES);
      const isDownload = BEGINNING.test(createHead(beginning).text);
      yield* isDownload ? readReport(file.name, chunks) : chunks;
    },
  };
}

async function* readReport(name: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const element of readElements(chunks, "files")) {
    const content =
      "value" in element && isObject(element.value) ? element.value["file"] : undefined;
    if (typeof content !== "string")
      throw new ImportError(`${name} is not a complete data download`);
    yield Buffer.from(content, "base64");
  }
}
