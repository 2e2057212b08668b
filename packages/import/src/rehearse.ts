// Reads the first rows of an import before one is written: a mapping that is wrong shows in them, and spoils all that follow.
import type { ReadableFile } from "./choose-readers.ts";
import type { Doubts } from "./doubts/doubts.ts";
import type { Row, SourceFile } from "./source-row.ts";

const ROWS = 1_000;
const CHARACTERS = 16 * 1024 * 1024;

export interface ReadRow {
  readonly file: SourceFile;
  readonly row: Row;
}

/** All rows; the first are judged before one of them is handed on. */
export function readJudged(
  files: readonly ReadableFile[],
  doubts: Pick<Doubts, "read" | "judge">,
): AsyncGenerator<ReadRow, void> {
  async function* readAll(): AsyncGenerator<ReadRow, void> {
    for (const { file, read } of files)
      for await (const row of doubts.read(file, read)) yield { file, row };
  }
  return rehearse(readAll(), doubts.judge);
}

/** All rows, in their order. `judge` is called when the first are read, and may throw. */
export async function* rehearse<Read extends { readonly row: Row }>(
  rows: AsyncGenerator<Read, void>,
  judge: () => Promise<void>,
): AsyncGenerator<Read, void> {
  const held: Read[] = [];
  let characters = 0;
  for (let next; held.length < ROWS && characters < CHARACTERS; held.push(next.value)) {
    next = await rows.next();
    if (next.done) break;
    characters += next.value.row.raw.length;
  }
  await judge();
  yield* held.splice(0);
  yield* rows;
}
