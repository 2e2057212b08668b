// What is said in the recorded calls that pass from one agent to the next: one part for each agent.
import { inbound } from "./conversations.ts";
import type { Conversation } from "./conversations.ts";

export const TRANSFERS = {
  "move-then-billing": inbound("Moves and Connections / House moves / Transferred", [
    `
    Agent: Fernhollow moves, {agent} speaking.
    Customer: Hello, {customer}. I moved out of {street} on {past}.
    Agent: Yes, your move is complete. Is anything missing?
    Customer: I still wait for my deposit of {amount}.
    Agent: My colleague {next} in billing can see that. I will put you through.
    Customer: Thank you.`,
    `
    Agent: Billing, {agent}. I hear you are waiting for a deposit.
    Customer: Yes, {amount}, from my old flat.
    Agent: It was sent to the old address as a cheque. I will stop it.
    Customer: Can you pay it to my bank instead?
    Agent: Yes. You have it by {day}. The reference is {reference}.
    Customer: Very good. Goodbye.`,
  ]),
  "outage-then-technical": inbound("Outage Line / Power cuts / Outage logged", [
    `
    Agent: Outage line, {agent}. Is your power off?
    Customer: It is back, but now the internet is dead. {customer} is my name.
    Agent: Then the storm has hurt your router. Technical help can test it.
    Customer: Can you connect me?
    Agent: Gladly. {next} takes over in a moment.`,
    `
    Agent: Technical help, {agent} speaking. Which light is on at the router?
    Customer: Only the red one.
    Agent: Please hold the small button at the back for ten seconds.
    Customer: It blinks. Wait. Now it is green.
    Agent: Then you are online again. I close ticket {reference}.
    Customer: Wonderful, thank you both.`,
  ]),
  "complaint-escalated": inbound("Billing Support / Bills and payments / Call back promised", [
    `
    Agent: Fernhollow billing, {agent} speaking.
    Customer: {customer}. You took {amount} twice this month!
    Agent: I see both payments, and I am sorry. I may not return that much myself.
    Customer: Then let me talk to somebody who may.
    Agent: Of course. I connect you with {next}.`,
    `
    Agent: Complaints desk, {agent}. I have read the notes.
    Customer: I want my money back today.
    Agent: The bank sent the order twice. I need a second signature, please hold on.
    Customer: I will hold, but not for long.
    Agent: {next} is free now.`,
    `
    Agent: {agent} here. I have signed it. {amount} goes back to your account.
    Customer: When will I see it?
    Agent: By {day} at the latest, with {credit} on top for the trouble.
    Customer: That is fair. Is there a number for this?
    Agent: Yes, {reference}. I will ring you when it has arrived.`,
  ]),
  "sale-then-setup": inbound("Technical Help / Broadband faults / Solved", [
    `
    Agent: Fernhollow sales, {agent}. How can I help?
    Customer: I ordered fibre on {past}. I am {customer}. The box came, and it does not start.
    Agent: It needs to be set free on our side. Technical help can do that.
    Customer: Then please put me through.
    Agent: {next} will be with you at once.`,
    `
    Agent: Technical help, {agent}. Please read me the number under the box.
    Customer: It says {reference}.
    Agent: {reference}, thank you. Now plug it in and wait for the white light.
    Customer: There it is. It works!
    Agent: Enjoy it. Goodbye.`,
  ]),
} satisfies Record<string, Conversation>;
