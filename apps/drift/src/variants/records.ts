// Variants that give open fields another form, or records and fields another order.
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
import { type Variant, toVariants } from "./variant.ts";

const TIMES = ["datetime", "created_date", "modified_date", "DateCreated", "DateModified"];

/** Writes the offset in hours; one with half an hour keeps its minutes. */
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
  ...toVariants("D02", {
    "talk-times-as-text": [
      METADATA,
      "talk_time and handle_time are text",
      (answer, request, upstream) =>
        Promise.resolve(field("talk_time", String)(answer, request, upstream)).then((changed) =>
          field("handle_time", String)(changed, request, upstream),
        ),
    ],
    "custom-fields-as-numbers": [
      METADATA,
      "custom fields with digits alone are numbers",
      json((envelope) => ({
        ...envelope,
        data: Array.isArray(envelope.data) ? envelope.data.map(toNumbers) : [],
      })),
    ],
  }),
  ...toVariants("D03", {
    "times-without-offset": [
      METADATA,
      "datetime of a call record has no Z",
      field("datetime", (value) => toText(value).replace(/Z$/, "")),
    ],
    "times-by-the-hour": [
      "every",
      "offsets are written as hours alone",
      async (answer, request, upstream) => {
        let changed = answer;
        for (const name of TIMES) changed = await inHours(name)(changed, request, upstream);
        return changed;
      },
    ],
    "times-in-basic-format": [
      "every",
      "timestamps are in the basic format of ISO 8601",
      async (answer, request, upstream) => {
        let changed = answer;
        for (const name of [...TIMES, "expires"])
          changed = await field(name, toBasic)(changed, request, upstream);
        return changed;
      },
    ],
  }),
  ...toVariants("D05", {
    "other-status-integers": [
      "listUsers",
      "status is 10, 20 or 30",
      field("status", (value) => OTHER_STATUS[toText(value)] ?? value),
    ],
    "several-integers-for-a-status": [
      "listUsers",
      "active is 1 or 4, inactive 0 or 3",
      eachRecord((user) => {
        const isOther = user.status !== 2 && Number(user.id) % 2 === 1;
        return isOther ? { ...user, status: Number(user.status) + 3 } : user;
      }),
    ],
  }),
  ...toVariants("D27", {
    "users-in-other-order": [
      "listUsers",
      "users and their fields come in another order",
      async (answer, request, upstream) =>
        ordered((names) => names.toSorted())(
          await list((users) => users.toReversed())(answer, request, upstream),
          request,
          upstream,
        ),
    ],
  }),
  ...toVariants("D09", {
    "messages-newest-first": [
      "getChatByCallId",
      "messages come newest first",
      list((messages) => messages.toReversed()),
    ],
  }),
  ...toVariants("D18", {
    "token-expires-with-comma": [
      "createToken",
      "expires is written with a comma before the fraction",
      field("expires", (value) => toText(value).replace(/(?:\.\d+)?Z$/, ",5Z")),
    ],
    "token-expires-with-offset": [
      "createToken",
      "expires is written with +00:00",
      field("expires", (value) => toText(value).replace(/Z$/, "+00:00")),
    ],
  }),
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
