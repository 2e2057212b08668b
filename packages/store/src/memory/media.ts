// The bytes of recordings in memory, by their SHA-256.
import { MediaDamaged, type MediaFiles } from "../call-store.ts";
import { readSource } from "../media/read-source.ts";
import type { Tables } from "./tables.ts";

/** Nothing is linked: a file that is to be is taken as a copy. */
export function createMedia({ media }: Tables): MediaFiles {
  return {
    add: async (source) => {
      const chunks: Uint8Array[] = [];
      const taken = await readSource(source, async (chunk) => void chunks.push(chunk.slice()));
      media.set(taken.sha256, { media: taken, content: new Uint8Array(Buffer.concat(chunks)) });
      return taken;
    },
    open: async ({ sha256 }) => {
      const content = media.get(sha256)?.content;
      if (content === undefined) throw new MediaDamaged(`there is no recording ${sha256}`);
      return {
        read: async (buffer, position) => {
          const bytes = content.subarray(position, position + buffer.length);
          buffer.set(bytes);
          return bytes.length;
        },
        close: async () => {},
      };
    },
  };
}
