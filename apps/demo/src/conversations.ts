// What is said in the recorded calls that one agent handles. Numbers are written as they are spoken.
// The words are the project's own. The fibre, renewal and delivery calls are the ones that an agent places.

export interface Conversation {
  campaign: string;
  skill: string;
  outcome: string;
  outbound: boolean;
  /** One script for each recording of the call. */
  parts: readonly string[];
}

export const CONVERSATIONS = {
  "bill-too-high": inbound("Billing Support / Bills and payments / Bill explained", [
    `
    Agent: Fernhollow billing, {agent} speaking. How can I help?
    Customer: Hello, this is {customer}. My last bill was {amount}, about twice the usual.
    Agent: I am sorry about that. I see it now: the meter was estimated, not read.
    Customer: But I sent you a reading on {past}.
    Agent: It came a day too late. I will enter it now, and you get {credit} back.
    Customer: Good. Do I have to do anything?
    Agent: Nothing at all. The new bill reaches you by {day}.
    Customer: Thank you. Goodbye.`,
  ]),
  "payment-plan": inbound("Billing Support / Payment plans / Payment plan set up", [
    `
    Agent: Fernhollow billing, this is {agent}.
    Customer: Hello, {customer} here. I cannot pay {amount} in one go this month.
    Agent: Thank you for telling us early. We can split it into six payments without any fee.
    Customer: When would the first one be due?
    Agent: On {day}, and then on the same day each month.
    Customer: That works for me. Will I get it in writing?
    Agent: Yes, by email today. Your plan number is {reference}.
    Customer: {reference}. Thank you, that is a relief.`,
  ]),
  "card-declined": inbound("Billing Support / Bills and payments / Payment taken", [
    `
    Agent: Good day, Fernhollow billing, {agent} speaking.
    Customer: This is {customer}. Your site refused my card for {amount}.
    Agent: Let me look. The card on file ran out last month, that is all.
    Customer: Ah, I have a new one. Can I give you the number?
    Agent: Please type it on your keypad, so that it is not recorded.
    Customer: Done.
    Agent: It went through. Your receipt is {reference}, dated today.
    Customer: Perfect, thanks a lot.`,
  ]),
  "move-house": inbound("Moves and Connections / House moves / Move booked", [
    `
    Agent: Fernhollow moves, {agent} speaking.
    Customer: Hi, {customer}. I am leaving {city} and need my power moved.
    Agent: Congratulations on the new place. When do you get the keys?
    Customer: On {day}. It is number {number}, Willow Lane.
    Agent: Read both meters that day and send us a picture of each.
    Customer: And the broadband?
    Agent: It is booked for the same morning. Your move number is {reference}.
    Customer: That was easy. Thank you.`,
  ]),
  "outage-report": inbound("Outage Line / Power cuts / Outage logged", [
    `
    Agent: Outage line, {agent}. Are you safe where you are?
    Customer: Yes, but all of {street} is dark. My name is {customer}.
    Agent: The storm brought a line down. A crew is already working on it.
    Customer: How long will it take?
    Agent: About {hours} hours. Please switch off the stove and the iron.
    Customer: I will. Can you send me news?
    Agent: Text updates are on now. The fault number is {reference}.
    Customer: Good luck to the crew.`,
  ]),
  "outage-medical": inbound("Outage Line / Priority customers / Priority visit sent", [
    `
    Agent: Outage line, {agent}. How can I help?
    Customer: The power is off and my father has an oxygen machine. I am {customer}.
    Agent: I have you as a priority home in {city}. Is the spare battery running?
    Customer: Yes, it shows {hours} hours.
    Agent: A van with a generator leaves now and is with you in forty minutes.
    Customer: Thank you. Shall I stay on the line?
    Agent: No, keep the phone free. The driver calls you, job {reference}.`,
  ]),
  "cancel-broadband": inbound("Retention / Cancellations / Customer kept", [
    `
    Agent: Fernhollow, {agent} here. What can I do for you?
    Customer: I am {customer} and I want to cancel my broadband. It costs too much.
    Agent: I understand. You pay the old price. May I tell you about the new one?
    Customer: Please be quick.
    Agent: Same speed, {credit} less each month, fixed for a year.
    Customer: Hm. Why did nobody tell me that before?
    Agent: We should have. Shall I start it on {day}?
    Customer: Yes, then I will stay.`,
  ]),
  "missed-visit": inbound("Retention / Complaints / Complaint resolved", [
    `
    Agent: Complaints desk, this is {agent}.
    Customer: {customer}. I took {past} off work and your engineer never came.
    Agent: That should not happen. The van broke down, and nobody rang you.
    Customer: So I lost a day of pay.
    Agent: We owe you {credit} for the missed visit. It is on your account now.
    Customer: And when does somebody come?
    Agent: On {day}, first visit of the morning. I will check it myself.
    Customer: All right. I hope so.`,
  ]),
  "password-reset": inbound("Technical Help / Account access / Password reset", [
    `
    Agent: Technical help, {agent} speaking.
    Customer: Hello, {customer}. I am locked out of my account.
    Agent: No problem. In which town were you born, please?
    Customer: In {city}.
    Agent: Thank you. I have sent a link to your email. It works for one hour.
    Customer: I have it. I am in again. Thanks!`,
  ]),
  "slow-broadband": inbound("Technical Help / Broadband faults / Engineer booked", [
    `
    Agent: Technical help, this is {agent}.
    Customer: {customer} here. My internet crawls every evening.
    Agent: Is it slow by cable too, or only over the air?
    Customer: By cable too. I measured {number} megabits instead of 500.
    Agent: I see noise on your line. It comes from the street cabinet.
    Customer: So somebody has to come?
    Agent: Yes, on {day}. You need not be at home. Ticket {reference}.
    Customer: Fine, I will wait for that.`,
  ]),
  "fibre-sale": outbound("Broadband Sales / Fibre sales / Sale", [
    `
    Customer: Hello?
    Agent: Good morning, this is {agent} from Fernhollow. Am I speaking with {customer}?
    Customer: Yes, what is it about?
    Agent: Fibre has reached {street}. You could have it from {day}.
    Customer: What does it cost?
    Agent: {credit} more than today, for ten times the speed.
    Customer: And the installation?
    Agent: It is free this month. Shall I put your name down?
    Customer: Yes, go ahead.`,
  ]),
  "renewal-offer": outbound("Retention / Cancellations / Customer kept", [
    `
    Customer: {customer}, hello.
    Agent: Hello, {agent} from Fernhollow. Your contract ends on {day}.
    Customer: Already? I had not noticed.
    Agent: You can keep the price you have if you renew for a year.
    Customer: Can I leave earlier if I move?
    Agent: Yes, with a month of notice and no fee.
    Customer: Then please renew it.
    Agent: Done. The new contract is number {reference}.`,
  ]),
  "router-delivery": outbound("Moves and Connections / Deliveries / Delivery rearranged", [
    `
    Customer: Yes, hello?
    Agent: Hello, this is {agent} from Fernhollow. Is that {customer}?
    Customer: It is.
    Agent: The courier could not deliver your router on {past}.
    Customer: I was at work. Can it come to my neighbour, number {number}?
    Agent: Of course. It will be there on {day} before noon.
    Customer: Great. Do I need a code?
    Agent: The code is {reference}.`,
  ]),
} satisfies Record<string, Conversation>;

export function inbound(labels: string, parts: readonly string[]): Conversation {
  return conversation(labels, { outbound: false, parts });
}

function outbound(labels: string, parts: readonly string[]): Conversation {
  return conversation(labels, { outbound: true, parts });
}

/** Reads "campaign / skill / outcome". */
function conversation(
  labels: string,
  rest: Pick<Conversation, "outbound" | "parts">,
): Conversation {
  const [campaign = "", skill = "", outcome = ""] = labels.split(" / ");
  return { campaign, skill, outcome, ...rest };
}
