// What has come of a request that is not one yet. When it turns out to be none, node:http tells the last packet alone, and
// what the request began with may have come in an earlier one.
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { MAX_HEAD_BYTES } from "./limits.ts";

/** An error of node:http's parser, at a place in what had come last. */
export interface ClientError extends NodeJS.ErrnoException {
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
}

export interface BrokenHead {
  /** From the beginning of the line that is wrong, each byte a character. */
  readonly line: string;
  readonly isHead: boolean;
}

export interface Heads {
  /** To be told of every request that could be read. */
  readonly complete: (request: IncomingMessage) => void;
  readonly toBroken: (socket: Duplex, error: ClientError) => BrokenHead;
}

interface Head {
  /** All but the last packet, each byte a character. */
  readonly before: string;
  readonly packet: Buffer;
}

const NONE: Head = { before: "", packet: Buffer.alloc(0) };

/** Follows the requests of `server`. To be called before the first connection. */
export function followHeads(server: Server, isTls: boolean): Heads {
  const latest = new WeakMap<Duplex, IncomingMessage>();
  const heads = new WeakMap<Duplex, Head>();
  // Over TLS requests come from another socket than the one that was accepted.
  server.on(isTls ? "secureConnection" : "connection", (socket: Socket) => {
    // Before the parser, so that what the parser makes of a packet comes after it.
    socket.prependListener("data", (packet: Buffer) => {
      const isOfBody = latest.get(socket)?.complete === false;
      if (!isOfBody) heads.set(socket, { before: textOf(heads.get(socket) ?? NONE), packet });
    });
  });
  return {
    complete: (request) => {
      latest.set(request.socket, request);
      heads.delete(request.socket);
    },
    toBroken: (socket, { rawPacket, bytesParsed = 0 }) => {
      const { before, packet } = heads.get(socket) ?? NONE;
      const text = before + (rawPacket ?? packet).toString("latin1");
      const last = before.length + bytesParsed - 1;
      // What came before the error, and was not itself behind a blank line, began the request.
      const blank = text.lastIndexOf("\r\n\r\n", last);
      return {
        line: text.slice(text.lastIndexOf("\n", last) + 1),
        isHead: text.startsWith("HEAD ", blank === -1 ? 0 : blank + 4),
      };
    },
  };
}

// The parser takes no more than this of a head.
const textOf = ({ before, packet }: Head): string =>
  (before + packet.toString("latin1")).slice(0, MAX_HEAD_BYTES);
