// An operation on the command line: the command that does what it does or comes nearest, else the one that checks it.
import { type OperationId, routes } from "@call-media/api";
import { BASE_URL, type ExampleInput, toExampleInput } from "./example-input.ts";

const writeDays = ({ query }: ExampleInput): string =>
  `--from ${query["startDate"]} --to ${query["endDate"]}`;

const writeSearch = (input: ExampleInput): string => {
  const filter = Object.entries(input.body ?? {}).map(
    ([name, value]) => `  --${name.replaceAll("_", "-")} ${JSON.stringify(value)}`,
  );
  return [`call-media search ${writeDays(input)}`, ...filter].join(" \\\n");
};

const writeRecording = ({ path }: ExampleInput): string =>
  `call-media recording ${path["call_id"]} --out call.wav`;

// The command line looks for a reference in days: the record of the examples lies in those of the contract's search.
const [days = ""] = routes
  .filter(({ operationId }) => operationId === "searchMetadata")
  .map((route) => writeDays(toExampleInput(route)));

const writeRecordings = ({ path }: ExampleInput): string =>
  `# All that the reference has in these days, into a new folder
call-media export ${days} \\
  --ref-id ${path["ref_id"]} --files recordings --out calls`;

const COMMANDS: Partial<Record<OperationId, (input: ExampleInput) => string>> = {
  createToken: () => `call-media login --base-url ${BASE_URL}`,
  getMetadataByReference: ({ path }) =>
    `# In these days\ncall-media search ${days} \\\n  --ref-id ${path["ref_id"]}`,
  getMetadataByCallId: ({ path }) => `call-media get ${path["call_id"]}`,
  searchMetadata: writeSearch,
  searchMetadataByCustomFields: writeSearch,
  listUsers: () => "# In users: all that are active and may be seen\ncall-media whoami --json",
  getRecordingByReference: writeRecordings,
  getRecordingByCallId: writeRecording,
  streamRecordingByReference: writeRecordings,
  streamRecordingByCallId: writeRecording,
  getChatByCallId: ({ path }) => `call-media transcript ${path["call_id"]}`,
};

export function writeCommand(id: OperationId, input: ExampleInput): string {
  const write = COMMANDS[id];
  if (write !== undefined) return write(input);
  return `# No command shows its answer; this one tells whether the service keeps its contract
call-media check --base-url ${BASE_URL} \\
  --only ${id}`;
}
