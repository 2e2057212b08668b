// Shows an operation as a command of the command line.
import type { OperationId } from "@call-media/api";
import { BASE_URL, type ExampleInput } from "./example-input.ts";

const writeDays = ({ query }: ExampleInput): string =>
  `--from ${query["startDate"]} --to ${query["endDate"]}`;

const writeSearch = (input: ExampleInput): string => {
  const filter = Object.entries(input.body ?? {}).map(
    ([name, value]) => `  --${name.replaceAll("_", "-")} ${JSON.stringify(value)}`,
  );
  return [`call-media search ${writeDays(input)}`, ...filter].join(" \\\n");
};

const writeRecording = ({ path }: ExampleInput): string => {
  const which = path["call_id"] ?? `--ref-id ${path["ref_id"]}`;
  return `call-media recording ${which} --out call.wav`;
};

const COMMANDS: Readonly<Record<OperationId, (input: ExampleInput) => string>> = {
  createToken: () => `call-media login --base-url ${BASE_URL}`,
  getMetadataByReference: ({ path }) => `call-media get --ref-id ${path["ref_id"]}`,
  getMetadataByCallId: ({ path }) => `call-media get ${path["call_id"]}`,
  searchMetadata: writeSearch,
  searchMetadataByCustomFields: writeSearch,
  listUsers: ({ query }) => `call-media users --status ${query["status"]}`,
  getUserAddresses: ({ query }) => `# In address\ncall-media user ${query["user_id"]} --json`,
  getUserSecurityRights: ({ query }) => `# In rights\ncall-media user ${query["user_id"]} --json`,
  getRecordingByReference: writeRecording,
  getRecordingByCallId: writeRecording,
  streamRecordingByReference: writeRecording,
  streamRecordingByCallId: writeRecording,
  listPublicFlags: () => "call-media flags",
  listPrivateFlags: ({ query }) => `call-media flags --user ${query["user_id"]}`,
  getChatByCallId: ({ path }) => `call-media transcript ${path["call_id"]}`,
};

export function writeCommand(id: OperationId, input: ExampleInput): string {
  return COMMANDS[id](input);
}
