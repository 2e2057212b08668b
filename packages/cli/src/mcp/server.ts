// A server of the Model Context Protocol: its tools, and their errors.
import { McpServer } from "@modelcontextprotocol/server";
import { toFailure } from "../failures/failure.ts";
import { PROGRAM, readVersion } from "../version.ts";
import { countCalls } from "./count-calls.ts";
import { describeFields } from "./describe-fields.ts";
import { getCall } from "./get-call.ts";
import { getTranscript } from "./get-transcript.ts";
import { toInputSchema } from "./schemas.ts";
import { searchCalls } from "./search-calls.ts";
import { ABOUT, type Archive, type Tool } from "./tool.ts";

const INSTRUCTIONS = `Recorded calls of a contact centre, as one user of the archive may see them: a missing call may be hidden from this user. Nothing can be changed, and no sound is returned. Begin with search_calls, by words that were said or by fields; count_calls counts; describe_fields says what the fields mean. ${ABOUT}`;

export function createServer(archive: Archive): McpServer {
  const server = new McpServer(
    { name: PROGRAM, version: readVersion() },
    { instructions: INSTRUCTIONS },
  );
  register(server, searchCalls, archive);
  register(server, countCalls, archive);
  register(server, getCall, archive);
  register(server, getTranscript, archive);
  register(server, describeFields, archive);
  return server;
}

function register<Input>(server: McpServer, tool: Tool<Input>, archive: Archive): void {
  const { name, title, description, input, run } = tool;
  const config = {
    title,
    description,
    inputSchema: toInputSchema<Input>(input),
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
  server.registerTool(name, config, async (given, { mcpReq: { signal } }) => {
    try {
      return { content: [{ type: "text", text: await run(given, archive, signal) }] };
    } catch (error) {
      return { isError: true, content: [{ type: "text", text: toSentence(error) }] };
    }
  });
}

/** Removes the stack, and replaces names of the command line by those of the tools. */
function toSentence(error: unknown): string {
  const { shown } = toFailure(error);
  const sentence = shown instanceof Error ? shown.message : String(shown);
  return sentence.replaceAll("--where", "where");
}
