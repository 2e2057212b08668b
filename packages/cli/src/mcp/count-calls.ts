// The tool count_calls: the number of calls, in total or by the values of a field.
import { toCounted, UsageError } from "@call-media/terminal";
import { listHints } from "../search/wider.ts";
import { countGroups, countRecords, toCallsAndLegs } from "../search/counting.ts";
import { takeLines, toCell } from "./caps.ts";
import { readAsked } from "./found.ts";
import { SEARCH_PROPERTIES, type SearchInput, toField } from "./search-schemas.ts";
import { ABOUT, type Tool } from "./tool.ts";

/** Maximum number of records to read for one response. The service counts if it can. */
const MAX_COUNTED = 20_000;
const MAX_VALUE = 80;

interface Input extends SearchInput {
  readonly group_by?: string;
}

export const countCalls: Tool<Input> = {
  name: "count_calls",
  title: "Count calls",
  description: `How many calls and legs there are, exactly, in all or for each value of a field: each record is a leg, and those with one call_id are one call. Groups count legs. Where the service cannot count, all are read, ${MAX_COUNTED} at most. ${ABOUT}`,
  input: {
    type: "object",
    required: ["from", "to"],
    properties: {
      ...SEARCH_PROPERTIES,
      group_by: {
        type: "string",
        description:
          "day, or a field such as agent_name, campaign, disposition or call_type: then a line for each value, the most frequent first.",
      },
    },
  },
  run: async (input, archive, signal) => {
    const { group_by } = input;
    const by =
      group_by === undefined || group_by === "day" ? group_by : toField("group_by", group_by);
    const asked = await readAsked(input, archive, signal);
    const counting = {
      client: archive.client,
      wanted: asked.wanted,
      signal,
      filter: asked.filter,
      onRead: checkRead,
    };
    const counted =
      by === undefined
        ? { ...(await countRecords(counting)), groups: [] }
        : await countGroups(counting, by);
    const { read, chats, groups, isDrifted } = counted;
    const missing = (chats?.skipped ?? 0) + (chats?.refused ?? 0);
    return [
      `${missing > 0 ? "at least " : ""}${toCallsAndLegs(counted)} from ${input.from} to ${input.to}, ${read === 0 ? "counted by the service" : `${toCounted(read, "record")} read`}`,
      ...takeLines(
        groups.map((group) => `${toCell(group.value ?? "(none)", MAX_VALUE)} | ${group.records}`),
      ),
      ...(missing > 0
        ? [`${missing} chats were not read: calls that have the words only there are missing.`]
        : []),
      ...(by === undefined && asked.filter === undefined
        ? await listHints(
            { client: archive.client, wanted: asked.wanted, signal },
            { count: counted.records, records: [] },
          )
        : []),
      ...asked.listWarnings(),
      ...(isDrifted ? ["The archive changed meanwhile: count again."] : []),
      ...(groups.length > 0 ? [ABOUT] : []),
    ].join("\n");
  },
};

function checkRead(rows: number): void {
  if (rows > MAX_COUNTED)
    throw new UsageError(
      `more than ${MAX_COUNTED} records would have to be read: ask for fewer days, or by words and filter`,
    );
}
