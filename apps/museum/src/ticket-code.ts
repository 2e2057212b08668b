// The QR code of a text as a PNG image.
import { crc32, deflateSync } from "node:zlib";
import { encode } from "uqr";

const PIXELS_PER_MODULE = 4;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function toTicketCode(text: string): Buffer {
  const { data, size } = encode(text, { border: 4 });
  const width = size * PIXELS_PER_MODULE;
  const lines = data.flatMap((modules) => {
    const pixels = modules.flatMap((isDark) =>
      Array<number>(PIXELS_PER_MODULE).fill(isDark ? 0 : 255),
    );
    return Array<Buffer>(PIXELS_PER_MODULE).fill(Buffer.from([0, ...pixels])); // filter 0: none
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  header.writeUInt8(8, 8); // bits per pixel; colour type 0 is grey
  const image = deflateSync(Buffer.concat(lines));
  return Buffer.concat([SIGNATURE, chunk("IHDR", header), chunk("IDAT", image), chunk("IEND")]);
}

/** PNG (RFC 2083), section 3.2: length, type, data, and the CRC of the last two. */
function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  typed.copy(framed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}
