// A data download of NICE CXone as its API gives it: `{"files": {"fileName": "…", "file": "<the report in base64>"}}`.
import { isObject } from "../../json.ts";
import { createHead, type Head, HEAD_BYTES } from "../../head.ts";
import { ImportError } from "../../import-options.ts";
import { readElements } from "../../json-elements.ts";
import { peek } from "../../peek.ts";
import type { SourceFile } from "../../source-row.ts";

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
    if (typeof content !== "string") throw new ImportError(`${name} is no whole data download`);
    yield Buffer.from(content, "base64");
  }
}
