// Fernhollow, the made-up energy and broadband company whose calls the demo archive holds: its groups, agents and voices.
import type { Offset } from "./moment.ts";
import { existing } from "./random.ts";
import type { Voice } from "./speech.ts";

export interface Group {
  id: string;
  name: string;
  /** What the group's telephone system writes after a time. The field desk's old system writes nothing. */
  offset: Offset;
}

export interface Agent {
  username: string;
  name: string;
  group: Group;
  voice: Voice;
}

const BILLING: Group = { id: "10", name: "Billing Team", offset: "Z" };
const FIELD: Group = { id: "20", name: "Field Desk", offset: null };
const GROWTH: Group = { id: "30", name: "Growth Team", offset: "+01:00" };
const TECHNICAL: Group = { id: "40", name: "Technical Team", offset: "-05:00" };

/** Agents speak with American and Caribbean voices, customers with British ones, so that two voices of a call differ at once. */
export const AGENTS: readonly Agent[] = [
  agent("Amara Okafor", BILLING, { name: "en-us+f2", pitch: 62 }),
  agent("Daniel Reyes", BILLING, { name: "en-us+m3", pitch: 38 }),
  agent("Ingrid Solberg", BILLING, { name: "en-us-nyc+f4", pitch: 58 }),
  agent("Tomás Herrera", FIELD, { name: "en-us+m1", pitch: 42 }),
  agent("Priya Nair", FIELD, { name: "en-us+f3", pitch: 66 }),
  agent("Colin Ashby", FIELD, { name: "en-029+m2", pitch: 36 }),
  agent("Lucía Marín", GROWTH, { name: "en-029+f3", pitch: 60 }),
  agent("Viktor Halász", GROWTH, { name: "en-us-nyc+m7", pitch: 40 }),
  agent("Hana Kobayashi", GROWTH, { name: "en-us+f5", pitch: 64 }),
  agent("Marcus Bell", TECHNICAL, { name: "en-us+m7", pitch: 34 }),
  agent("Leïla Benali", TECHNICAL, { name: "en-us-nyc+f2", pitch: 64 }),
  agent("Owen Pritchard", TECHNICAL, { name: "en-029+m3", pitch: 44 }),
];

/** Finds an agent by user name, for example `amara.okafor`. */
export function agentNamed(username: string): Agent {
  return existing(
    AGENTS.find((each) => each.username === username),
    `agent ${username}`,
  );
}

function agent(name: string, group: Group, voice: Voice): Agent {
  return { username: toUsername(name), name, group, voice };
}

function toUsername(name: string): string {
  return name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(" ", ".");
}
