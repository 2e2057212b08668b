// Formats a line of the log for a terminal: time in UTC, the event, the numbers, then the rest.
import { toPrintable } from "@call-media/service/printable";
import type { Fault } from "./log-fault.ts";

type Line = Readonly<Record<string, unknown>>;

/** From the line's JSON to text that ends in a line break. */
export function toText({ time, level, msg, err, ...fields }: Line): string {
  const clock = `${String(time).slice(11, 19)}Z`;
  const what = "method" in fields ? toRequest(msg, fields) : toEvent(msg, fields);
  const mark = level === "info" || level === "debug" ? "" : `${String(level)}: `;
  return `${toPrintable(`${clock} ${mark}${what}`)}\n${err === undefined ? "" : toReason(err as Fault)}`; // written by the log
}

function toRequest(msg: unknown, fields: Line): string {
  const { requestId, method, operation, status, bytes, ms, address, userId, secretID, code } =
    fields;
  return [
    status ?? "gone",
    method,
    operation ?? "(no operation)",
    `${String(bytes)} bytes`,
    `${Number(ms).toFixed(1)} ms`,
    address,
    ...(userId === undefined ? [] : [`user ${Number(userId)}`]),
    ...(typeof secretID === "string" ? [`secretID ${secretID}`] : []),
    ...(typeof code === "string" ? [code] : []),
    requestId,
    ...(msg === "request" ? [] : [`(${String(msg)})`]),
  ].join("  ");
}

function toEvent(msg: unknown, fields: Line): string {
  const pairs = Object.entries(fields).map(([name, value]) => `${name} ${String(value)}`);
  return [msg, ...pairs].join("  ");
}

function toReason({ type, message, at = [], cause }: Fault): string {
  const reason = [type, message].filter((part) => part !== undefined).join(": ");
  const lines = [
    `    ${toPrintable(reason)}`,
    ...at.map((frame) => `      at ${toPrintable(frame)}`),
  ];
  return `${lines.join("\n")}\n${cause === undefined ? "" : toReason(cause)}`;
}
