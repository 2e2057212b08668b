// The one long call: twenty minutes of a router that is set up again step by step, much of it on hold.
import { agentNamed } from "./company.ts";
import { inbound } from "./conversations.ts";
import type { Customer } from "./customers.ts";
import { existing } from "./random.ts";
import type { RecordingPlan } from "./recording-plans.ts";

const OPENING = `
  Agent: Technical help, {agent} speaking.
  Customer: Hello, this is {customer}. Since the storm my internet has been off, and the router blinks red.
  Agent: I am sorry to hear that. We will go through it together. It may take a while. Do you have the time?
  Customer: Yes, I work from home, so I need it anyway.
  Agent: Good. Please stay near the router, and tell me each time what you see.`;

/** The agent's questions, and the customer's observations. */
const STEPS = [
  ["Look at the first light, the one for power", "It is green and does not blink"],
  ["Now the second one, for the line", "It is red, and it blinks about once a second"],
  [
    "Please follow the grey cable from the router to the wall",
    "It goes behind the shelf. It is in the socket",
  ],
  [
    "Pull it out, count to ten, and put it back",
    "Done. The light is orange now. No, it is red again",
  ],
  ["Switch the router off at the back, please", "It is off. All lights are out"],
  ["Leave it off while I measure your line from here", "All right, I am waiting"],
  [
    "The line is fine up to your house. Switch it on again",
    "It is starting. All lights are on at the same time",
  ],
  [
    "That takes two minutes. Tell me when they settle",
    "Now the first is green and the second is orange",
  ],
  ["Orange is a good sign. Open the settings page on your computer", "It asks me for a password"],
  ["It is printed below the router, eight letters", "I have it. I see a page with many numbers"],
  [
    "Choose the third entry on the left, called connection",
    "It says that the connection was refused",
  ],
  ["Read me the code at the end of that line, please", "It is six nine one"],
  ["Six nine one means that your account was locked by mistake", "Locked? I have always paid"],
  ["You have. The storm filled our system with double entries", "And can you unlock it"],
  ["I can ask the team that does. Please stay on the line", "I will"],
  ["They have unlocked it. Press connect on that page", "It says, connecting, please wait"],
  ["Give it a minute", "The second light is green now"],
  ["Then open any page that you know", "The news opens. And the mail comes in"],
  ["Let us measure the speed while we are at it", "It shows {number} megabits, and it goes up"],
  ["It will go on rising for an hour", "That is all right"],
] as const;

const CLOSING = `
  Agent: Your ticket is {reference}. For the days without a line you get {credit} back.
  Customer: Thank you. You have been very patient with me.
  Agent: So have you. Have a quiet day.
  Customer: Goodbye.`;

/** How long the agent is away after a step, in seconds. */
const HOLDS: Readonly<Record<number, number>> = { 5: 210, 7: 180, 14: 340, 16: 100 };

const toTurns = ([asked, seen]: (typeof STEPS)[number], index: number) => {
  const hold = HOLDS[index];
  const seconds = hold === undefined ? 9 : hold;
  return `
  Agent: Step ${index + 1}. ${asked}.
  Customer (pause ${seconds}): ${seen}.
  Agent: ${hold === undefined ? "Thank you. That helps" : "Thank you for waiting"}. I write that down for the ticket.`;
};

/** Without a line in recorded-calls.tsv, whose calls are numbered before all others. */
export function createLongCall(number: number, customers: readonly Customer[]): RecordingPlan {
  const customer = customers.find(({ email }) => email === "oscar.lindgren");
  const steps = STEPS.map(toTurns).join("");
  return {
    number,
    script: "router-after-storm",
    conversation: inbound("Technical Help / Broadband faults / Solved", [
      OPENING + steps + CLOSING,
    ]),
    atMs: Date.parse("2026-10-29T10:05:00Z"),
    agents: [agentNamed("leila.benali")],
    customer: existing(customer, "customer of the long call"),
    customerVoice: { name: "en-gb-x-rp+m3", pitch: 36 },
    format: "opus",
    stereo: true,
    chat: true,
    recordPerPart: false,
    callId: null,
  };
}
