// The bytes of recordings in memory, by their SHA-256.
import type { MediaStore, OpenMedia } from "../port/media.ts";
import { StoreFault } from "../port/faults.ts";
import { readSource } from "../media/read-source.ts";
import type { Tables } from "./tables.ts";

/** Does not link files. Without the tables of an archive it uses its own. */
export function createMedia({ media }: Pick<Tables, "media"> = { media: new Map() }): MediaStore {
  const find = (sha256: string) => {
    const found = media.get(sha256);
    if (found === undefined) throw new StoreFault("lost", `there is no recording ${sha256}`);
    return found;
  };
  return {
    put: async (source) => {
      const chunks: Uint8Array[] = [];
      const taken = await readSource(
        source,
        async (chunk) => void chunks.push(new Uint8Array(chunk)),
      );
      media.set(taken.sha256, { media: taken, content: new Uint8Array(Buffer.concat(chunks)) });
      return taken;
    },
    open: async ({ sha256 }, { first, last } = { first: 0, last: Infinity }) =>
      toOpenMedia(find(sha256).content.subarray(first, last + 1)),
    delete: async (name) => {
      media.delete(name);
      return undefined;
    },
    list: async function* () {
      for (const [sha256, { media: stored }] of media) {
        const { bytes, modifiedMs } = stored;
        yield { name: sha256, sha256, bytes, modifiedMs, isUnfinished: false };
      }
    },
    verify: async (asked, onRead) => {
      const { content } = find(asked.sha256);
      onRead?.(content);
      return asked;
    },
  };
}

function toOpenMedia(content: Uint8Array): OpenMedia {
  let position = 0;
  return {
    read: async (buffer) => {
      const bytes = content.subarray(position, position + buffer.length);
      buffer.set(bytes);
      position += bytes.length;
      return bytes.length;
    },
    close: async () => {},
  };
}
