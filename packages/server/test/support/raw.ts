// Requests as bytes on a socket, for what no HTTP client would send, and the answers as they came.
import { connect, type Socket } from "node:net";

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawConnection {
  readonly socket: Socket;
  /** All that has come when the other side has closed. */
  readonly received: Promise<string>;
}

export function openRaw(baseUrl: string): RawConnection {
  const { hostname, port } = new URL(baseUrl);
  return collect(connect(Number(port), hostname));
}

export function collect(socket: Socket): RawConnection {
  let text = "";
  socket.on("data", (chunk) => (text += chunk.toString("latin1")));
  const received = new Promise<string>((resolve) => {
    // A reset is a way of closing, too.
    socket.on("error", () => resolve(text));
    socket.on("close", () => resolve(text));
  });
  return { socket, received };
}

/** Sends the text, each character one byte, and gives all that came back until the service closed the connection. */
export async function sendRaw(baseUrl: string, text: string): Promise<string> {
  const { socket, received } = openRaw(baseUrl);
  socket.write(text, "latin1");
  return received;
}

export function parseAnswer(text: string): RawAnswer {
  const at = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, at).split("\r\n");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]),
    headers: Object.fromEntries(headers) as Record<string, string>, // of pairs of strings
    body: text.slice(at + 4),
  };
}
