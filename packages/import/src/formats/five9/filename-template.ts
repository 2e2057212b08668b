// The template by which Five9 names recordings: variables between texts, as in `{agent_id}__{date}__{time}__{call_guid}`.
import { ImportError } from "../../import-error.ts";

export type Variable = keyof typeof FIELDS;

/** The values in a name, by variable. */
export type NameParts = Partial<Record<Variable, string>>;

// The variables Five9 offers, and the field that each of them fills.
export const FIELDS = {
  agent_id: "agent",
  agent_name: "agent_name",
  call_guid: "ref_id",
  call_id: "call_id",
  campaign_name: "campaign",
  consumer_number: undefined,
  date: undefined,
  disposition_name: "disposition",
  first_name: "customer_first_name",
  ivr_module: "ivr_path",
  last_name: "customer_last_name",
  length: undefined,
  number_1: "phone_number1",
  number_2: "phone_number2",
  number_3: "phone_number3",
  owner: undefined,
  session_id: "session_id",
  skill_name: "skill",
  time: undefined,
} as const;

/** Makes a function that reads a name without its extension; throws `ImportError` for a template that cannot tell calls apart. */
export function parseFilenameTemplate(template: string): (name: string) => NameParts | undefined {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
  const unknown = names.find((name) => !Object.hasOwn(FIELDS, name));
  if (unknown !== undefined)
    fail(template, `{${unknown}} is not a variable; known are ${Object.keys(FIELDS).join(", ")}`);
  if (new Set(names).size < names.length) fail(template, "a variable stands in it twice");
  const tells = (...wanted: readonly string[]) => wanted.every((name) => names.includes(name));
  if (!tells("date", "time") && !tells("call_id") && !tells("session_id"))
    fail(
      template,
      "it needs {date} and {time}, or {call_id}, or {session_id}, to tell calls apart",
    );
  if (/\}\{/.test(template)) fail(template, "two variables stand in it with nothing between them");

  const texts = template
    .split(/\{[^{}]*\}/)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const pattern = new RegExp(`^${texts.join("(.*?)")}$`, "su");
  return (name) => {
    const [, ...values] = pattern.exec(name) ?? [];
    if (values.length === 0) return undefined;
    return Object.fromEntries(names.map((variable, index) => [variable, values[index] ?? ""]));
  };
}

function fail(template: string, fault: string): never {
  throw new ImportError(`the template of file names "${template}": ${fault}`);
}
