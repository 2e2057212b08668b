// Variants that give open fields another form, or records and fields another order.
import { all } from "../edits/answers.ts";
import { field, type Json, list, ordered, records as eachRecord, toText } from "../edits/json.ts";
import { METADATA } from "../mutants/mutant.ts";
import { type Variant, toVariants } from "./variant.ts";

const TIMES = ["datetime", "created_date", "modified_date", "DateCreated", "DateModified"];

const eachField = (names: readonly string[], edit: (value: Json) => Json) =>
  all(...names.map((name) => field(name, edit)));

/** Writes the offset in hours; one with half an hour keeps its minutes. */
const inHours = (value: Json): Json =>
  toText(value)
    .replace(/Z$/, "+00")
    .replace(/([+-]\d\d):00$/, "$1");

/** 20260301T093015.5+0100 */
const toBasic = (value: Json): Json => {
  const [day = "", time = ""] = toText(value).split("T");
  return `${day.replaceAll("-", "")}T${time.replaceAll(":", "")}`;
};

const toNumber = (name: string, value: Json) =>
  name.startsWith("custom_field_") && /^[1-9]\d{0,8}$/.test(toText(value)) ? Number(value) : value;

const OTHER_STATUS: Readonly<Record<string, number>> = { "0": 20, "1": 10, "2": 30 };

export const records: readonly Variant[] = [
  ...toVariants("D02", {
    "talk-times-as-text": [METADATA, eachField(["talk_time", "handle_time"], String)],
    "custom-fields-as-numbers": [
      METADATA,
      "custom fields with digits alone are numbers",
      eachRecord((record) =>
        Object.fromEntries(
          Object.entries(record).map(([name, value]) => [name, toNumber(name, value)]),
        ),
      ),
    ],
  }),
  ...toVariants("D03", {
    "times-without-offset": [
      METADATA,
      field("datetime", (value) => toText(value).replace(/Z$/, "")),
    ],
    "times-by-the-hour": ["every", "offsets are written as hours alone", eachField(TIMES, inHours)],
    "times-in-basic-format": ["every", eachField([...TIMES, "expires"], toBasic)],
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
      all(
        list((users) => users.toReversed()),
        ordered((names) => names.toSorted()),
      ),
    ],
  }),
  ...toVariants("D09", {
    "messages-newest-first": ["getChatByCallId", list((messages) => messages.toReversed())],
  }),
  ...toVariants("D18", {
    "token-expires-with-comma": [
      "createToken",
      field("expires", (value) => toText(value).replace(/(?:\.\d+)?Z$/, ",5Z")),
    ],
    "token-expires-with-offset": [
      "createToken",
      field("expires", (value) => toText(value).replace(/Z$/, "+00:00")),
    ],
  }),
];
