// Parses and bounds the values of options. A rejected value gets a message with the allowed ones.
import { InvalidArgumentError, Option } from "commander";
import { isOrigin } from "../http/cors.ts";
import { isSubnet } from "../http/proxy.ts";
import { toWholeNumber } from "@call-media/terminal";

export const DEFAULT_PORT = 8080;

/** The default directory of the demo archive, below the current directory. */
export const DEMO_FOLDER = "call-media-demo";

export function createPortOption(): Option {
  return new Option("--port <number>", "the port to listen on")
    .env("PORT")
    .default(DEFAULT_PORT)
    .argParser(toPort);
}

export const toSubnets = toList(isSubnet, "an address or a subnet, like 10.1.2.3 or 10.1.0.0/16");
export const toOrigins = toList(isOrigin, "an origin, like https://app.example.com");
export const toPort = toWholeNumber(0, 65_535);
export const toShutdownTimeout = toWholeNumber(0, 86_400);
export const toTokenLifetime = toWholeNumber(60, 86_400);
export const toIdleTimeout = toWholeNumber(60, 43_200);
export const toRedirectLifetime = toWholeNumber(1, 300);
export const toPositiveInteger = toWholeNumber(1);

/** A header's name (RFC 9110, section 5.6.2). */
export function toHeaderName(text: string): string {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(text)) return text;
  throw new InvalidArgumentError("It must be the name of a header, like X-Forwarded-User.");
}

// Commander passes the result for the earlier values: undefined or true before the first.
function toList(isRight: (text: string) => boolean, expected: string) {
  return (text: string, before: unknown): readonly string[] => {
    if (!isRight(text)) throw new InvalidArgumentError(`It must be ${expected}.`);
    return [...(Array.isArray(before) ? before : []), text];
  };
}
