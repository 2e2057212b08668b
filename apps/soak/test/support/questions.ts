// One question of each sort that a service under a fault is asked.
import type { DemoArchive } from "./archive.ts";
import { ask, type Reply } from "./serving.ts";

export type Questions = Readonly<
  Record<"recording" | "metadata" | "signIn" | "ready" | "alive", () => Promise<Reply>>
>;

export function createQuestions(
  baseUrl: string,
  { apiKey: bearer, credentials: json, examples }: DemoArchive,
): Questions {
  return {
    recording: () => ask(`${baseUrl}/recording/stream-by-call-id/${examples.call_id}`, { bearer }),
    metadata: () => ask(`${baseUrl}/metadata/by-call-id/${examples.call_id}`, { bearer }),
    signIn: () => ask(`${baseUrl}/Token`, { json }),
    ready: () => ask(`${baseUrl}/readyz`),
    alive: () => ask(`${baseUrl}/healthz`),
  };
}
