// Looking at the beginning of a stream that can be read only once.

export interface Peeked {
  /** At least as many bytes as were asked for, unless there are fewer. */
  readonly beginning: Buffer;
  /** The whole stream, its beginning included; to be read once. */
  readonly chunks: AsyncGenerator<Buffer>;
}

export async function peek(source: AsyncIterable<Buffer>, bytes: number): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const begun: Buffer[] = [];
  for (let length = 0; length < bytes;) {
    const next = await iterator.next();
    if (next.done) break;
    begun.push(next.value);
    length += next.value.length;
  }
  const [only = Buffer.alloc(0)] = begun;
  const beginning = begun.length > 1 ? Buffer.concat(begun) : only;
  const chunks = resume(beginning, iterator);
  // A generator that was never begun ends without its `finally`, and leaves the file open.
  await chunks.next();
  return { beginning, chunks };
}

async function* resume(beginning: Buffer, iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield beginning; // for `peek` itself
    if (beginning.length > 0) yield beginning;
    for (let next = await iterator.next(); !next.done; next = await iterator.next())
      yield next.value;
  } finally {
    await iterator.return?.();
  }
}
