// The beginning of a stream is looked at, and the stream is read to its end or closed.
import { expect, test } from "vitest";
import { peek } from "../src/peek.ts";

function createSource() {
  const state = { isClosed: false };
  async function* read() {
    try {
      for (const text of ["ab", "cd", "ef"]) yield Buffer.from(text);
    } finally {
      state.isClosed = true;
    }
  }
  return { state, read };
}

test("what was only looked at is closed", async () => {
  const { state, read } = createSource();
  const { beginning, chunks } = await peek(read(), 3);
  expect(beginning.toString()).toBe("abcd");
  await chunks.return(undefined);
  expect(state.isClosed).toBe(true);
});

test("all of it comes, its beginning included", async () => {
  const { state, read } = createSource();
  const { chunks } = await peek(read(), 3);
  let text = "";
  for await (const chunk of chunks) text += chunk.toString();
  expect(text).toBe("abcdef");
  expect(state.isClosed).toBe(true);
});
