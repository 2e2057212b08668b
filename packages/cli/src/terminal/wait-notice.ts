// Tells the user on a terminal when the service is slow, and when a request is repeated.
import { type ClientEvent, isCallMediaError } from "@call-media/client";
import { createProgressLine, type Output, toPrintable } from "@call-media/terminal";

/** Users begin to wonder after 5 seconds without output. */
const SILENT_MS = 5_000;

/** Shorter pauses are over before a message is read. */
const LONG_PAUSE_MS = 2_000;

type Retry = Extract<ClientEvent, { readonly type: "retry" }>;

/** For `onEvent` of a client. Silent unless `stream` is a terminal. */
export function createWaitNotice(
  stream: Output,
  silentMs = SILENT_MS,
): (event: ClientEvent) => void {
  const line = createProgressLine(stream);
  /** By the number of the call. */
  const timers = new Map<number, NodeJS.Timeout>();
  let isShown = false;
  const show = (text: string) => {
    if (isShown || text !== "") line.show(text);
    isShown = text !== "";
  };
  const begin = ({ call, url }: ClientEvent) => {
    const tell = () => show(`waiting for ${new URL(url).host} ...`);
    timers.set(call, setTimeout(tell, silentMs).unref());
  };
  const end = (call: number) => {
    clearTimeout(timers.get(call));
    if (timers.delete(call)) show("");
  };
  return (event) => {
    if (!stream.isTTY) return;
    if (event.type === "request") return begin(event);
    end(event.call);
    if (event.type !== "retry" || !isLong(event)) return;
    line.show("");
    stream.write(`${toWords(event)}\n`);
  };
}

/** Maximum number of characters of the service's own message. */
const MAX_SAID = 200;

const isLong = ({ error, waitMs }: Retry) =>
  isCallMediaError(error, "TimeoutError") || waitMs >= LONG_PAUSE_MS;

function toWords({ error, waitMs }: Retry): string {
  const pause = waitMs < LONG_PAUSE_MS ? "" : ` in ${Math.ceil(waitMs / 1000)} s`;
  return `${toPrintable(error.message.slice(0, MAX_SAID))}: asking again${pause}`;
}
