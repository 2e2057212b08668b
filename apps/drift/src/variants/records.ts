// Records of services that give open fields another form, or records and fields another order.
import {
  field,
  isObject,
  type Json,
  json,
  list,
  ordered,
  records as eachRecord,
  toText,
} from "../edits/json.ts";
import { METADATA } from "../mutants/mutant.ts";
import type { Variant } from "./variant.ts";

const TIMES = ["datetime", "created_date", "modified_date", "DateCreated", "DateModified"];

/** Of half an hour more, the offset keeps its minutes. */
const inHours = (name: string) =>
  field(name, (value) =>
    toText(value)
      .replace(/Z$/, "+00")
      .replace(/([+-]\d\d):00$/, "$1"),
  );

/** 20260301T093015.5+0100 */
const toBasic = (value: Json): Json => {
  const [day = "", time = ""] = toText(value).split("T");
  return `${day.replaceAll("-", "")}T${time.replaceAll(":", "")}`;
};

const OTHER_STATUS: Readonly<Record<string, number>> = { "0": 20, "1": 10, "2": 30 };

export const records: readonly Variant[] = [
  {
    id: "talk-times-as-text",
    decision: "D02",
    operation: METADATA,
    says: "talk_time and handle_time are text",
    mutate: (answer, request, upstream) =>
      Promise.resolve(field("talk_time", String)(answer, request, upstream)).then((changed) =>
        field("handle_time", String)(changed, request, upstream),
      ),
  },
  {
    id: "custom-fields-as-numbers",
    decision: "D02",
    operation: METADATA,
    says: "custom fields with digits alone are numbers",
    mutate: json((envelope) => ({
      ...envelope,
      data: Array.isArray(envelope.data) ? envelope.data.map(toNumbers) : [],
    })),
  },
  {
    id: "times-without-offset",
    decision: "D03",
    operation: METADATA,
    says: "datetime of a call record has no Z",
    mutate: field("datetime", (value) => toText(value).replace(/Z$/, "")),
  },
  {
    id: "other-status-integers",
    decision: "D05",
    operation: "listUsers",
    says: "status is 10, 20 or 30",
    mutate: field("status", (value) => OTHER_STATUS[toText(value)] ?? value),
  },
  {
    id: "several-integers-for-a-status",
    decision: "D05",
    operation: "listUsers",
    says: "active is 1 or 4, inactive 0 or 3",
    mutate: eachRecord((user) => {
      const isOther = user.status !== 2 && Number(user.id) % 2 === 1;
      return isOther ? { ...user, status: Number(user.status) + 3 } : user;
    }),
  },
  {
    id: "users-in-other-order",
    decision: "D27",
    operation: "listUsers",
    says: "users and their fields come in another order",
    mutate: async (answer, request, upstream) =>
      ordered((names) => names.toSorted())(
        await list((users) => users.toReversed())(answer, request, upstream),
        request,
        upstream,
      ),
  },
  {
    id: "messages-newest-first",
    decision: "D09",
    operation: "getChatByCallId",
    says: "messages come newest first",
    mutate: list((messages) => messages.toReversed()),
  },
  {
    id: "times-by-the-hour",
    decision: "D03",
    operation: "every",
    says: "offsets are written as hours alone",
    mutate: async (answer, request, upstream) => {
      let changed = answer;
      for (const name of TIMES) changed = await inHours(name)(changed, request, upstream);
      return changed;
    },
  },
  {
    id: "times-in-basic-format",
    decision: "D03",
    operation: "every",
    says: "timestamps are in the basic format of ISO 8601",
    mutate: async (answer, request, upstream) => {
      let changed = answer;
      for (const name of [...TIMES, "expires"])
        changed = await field(name, toBasic)(changed, request, upstream);
      return changed;
    },
  },
  {
    id: "token-expires-with-comma",
    decision: "D18",
    operation: "createToken",
    says: "expires is written with a comma before the fraction",
    mutate: field("expires", (value) => toText(value).replace(/(?:\.\d+)?Z$/, ",5Z")),
  },
  {
    id: "token-expires-with-offset",
    decision: "D18",
    operation: "createToken",
    says: "expires is written with +00:00",
    mutate: field("expires", (value) => toText(value).replace(/Z$/, "+00:00")),
  },
];

function toNumbers(record: Json): Json {
  if (!isObject(record)) return record;
  const isNumber = (name: string, value: Json) =>
    name.startsWith("custom_field_") && /^[1-9]\d{0,8}$/.test(toText(value));
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      isNumber(name, value) ? Number(value) : value,
    ]),
  );
}
