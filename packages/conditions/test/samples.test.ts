// The table of conditions by the judge itself, as it is written and as it is printed.
import { fieldsOf } from "@call-media/api";
import { expect, test } from "vitest";
import { parseCondition, printCondition, toJudge } from "../src/index.ts";
import {
  SAMPLE_CALLS,
  SAMPLE_CHATS,
  SAMPLE_CONDITIONS,
} from "@call-media/test-setup/condition-samples";

const FIELDS = fieldsOf("MetadataRecord");
const chatOf = (id: string) => SAMPLE_CHATS.find(({ call_id }) => call_id === id)?.transcript ?? "";

test.each(SAMPLE_CONDITIONS)("%s finds %j", (text, found) => {
  const find = (written: string) => {
    const isMet = toJudge(parseCondition(written, FIELDS));
    const calls = SAMPLE_CALLS.filter((call) => isMet(call, chatOf(call.call_id)) === true);
    return calls.map(({ call_id }) => call_id).join("");
  };
  expect(find(text)).toBe(found);
  expect(find(printCondition(parseCondition(text, FIELDS)))).toBe(found);
});
