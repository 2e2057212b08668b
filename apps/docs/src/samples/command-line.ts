// An operation on the command line, as far as it has a command that does what the operation does.
import type { OperationId } from "@call-media/api";
import { BASE_URL, type ExampleInput } from "./example-input.ts";

const writeSearch = ({ query, body = {} }: ExampleInput): string => {
  const filter = Object.entries(body).map(
    ([name, value]) => `  --${name.replaceAll("_", "-")} ${JSON.stringify(value)}`,
  );
  const days = `call-media search --from ${query["startDate"]} --to ${query["endDate"]}`;
  return [days, ...filter].join(" \\\n");
};

const COMMANDS: Partial<Record<OperationId, (input: ExampleInput) => string>> = {
  createToken: () => `call-media login --base-url ${BASE_URL}`,
  getMetadataByCallId: ({ path }) => `call-media get ${path["call_id"]}`,
  searchMetadata: writeSearch,
  searchMetadataByCustomFields: writeSearch,
  streamRecordingByCallId: ({ path }) => `call-media recording ${path["call_id"]} --out call.wav`,
  getChatByCallId: ({ path }) => `call-media transcript ${path["call_id"]}`,
};

/** undefined where there is no such command. */
export function writeCommand(id: OperationId, input: ExampleInput): string | undefined {
  return COMMANDS[id]?.(input);
}
