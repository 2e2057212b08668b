// What is written in the chats. A line "System (label):" without text is an event that has no words.

export interface ChatScript {
  campaign: string;
  skill: string;
  outcome: string;
  text: string;
}

export const CHAT_SCRIPTS: readonly ChatScript[] = [
  {
    campaign: "Billing Support",
    skill: "Bills and payments",
    outcome: "Bill explained",
    text: `
    System (joined): {agent} has joined the chat.
    Agent: Hello {first}, you are chatting with {agent}. What can I do for you?
    Customer: hi, why is there a charge of {price} called "standing charge"?
    Agent: That is the fixed part of your tariff. It pays for the meter and the line to your home.
    Customer: it was lower last year
    Agent: Yes, it went up on the first of the month. The price of each unit went down at the same time.
    Customer: ok, so overall about the same?
    Agent: Over your last year you would have paid a little less.
    Customer: fine, thanks
    System (closed): The chat was closed by {agent}.`,
  },
  {
    campaign: "Billing Support",
    skill: "Payment plans",
    outcome: "Payment plan set up",
    text: `
    System (joined): {agent} has joined the chat.
    Customer: I'd like to pay {price} in parts
    Agent: We can do that, {first}. Three or six months?
    Customer: six please
    System (attachment):
    Agent: I have sent you the plan, {reference}. Please have a look and write "agreed".
    Customer: agreed 👍
    Agent: Done. The first payment leaves your account on the 5th.
    System (closed): The chat was closed by {first}.`,
  },
  {
    campaign: "Outage Line",
    skill: "Power cuts",
    outcome: "Outage logged",
    text: `
    System (joined): {agent} has joined the chat.
    Customer: no power in {city} since half an hour, anybody else?
    Agent: Yes, {first}, fault {reference} covers your street. The crew is on site.
    Customer: do you know how long?
    Agent: Two hours at most. I can switch text updates on for you.
    Customer: yes please
    Agent: They are on. Stay well clear of any line on the ground.
    System (closed): The chat was closed by {agent}.`,
  },
  {
    campaign: "Technical Help",
    skill: "Account access",
    outcome: "Password reset",
    text: `
    System (joined): {agent} has joined the chat.
    Customer: the password link never arrives…
    Agent: Hello {first}. Is {email} still your address?
    Customer: yes it is
    Agent: Your mail box refused our message. Please look in the folder for unwanted mail.
    Customer: found it! why does it go there
    Agent: The link was forwarded twice. I have marked our sender as known for your account.
    Customer: thanks {agent}
    System (closed): The chat was closed by {first}.
    System (survey): Rated 5 of 5.`,
  },
  {
    campaign: "Technical Help",
    skill: "Broadband faults",
    outcome: "Solved",
    text: `
    System (joined): {agent} has joined the chat.
    Customer: Wi-Fi drops whenever the microwave is on, no joke
    Agent: No joke indeed, {first}: both use the same band. I can move your router to the other one.
    Customer: will my old printer still connect?
    Agent: It keeps the first band, only your phones and computers move. May I?
    Customer: go
    Agent: Done. Please try the microwave.
    Customer: works. brilliant
    System (closed): The chat was closed by {agent}.`,
  },
  {
    campaign: "Moves and Connections",
    skill: "Deliveries",
    outcome: "Delivery rearranged",
    text: `
    System (joined): {agent} has joined the chat.
    Customer: Where is my router? Order {reference}
    Agent: Let me look, {first}. It is in the depot near {city}.
    Customer: I'm away until Thursday
    Agent: Then Friday, between 8 and 12?
    Customer: Friday is good
    Agent: Booked. The driver rings ten minutes before.
    System (closed): The chat was closed by {agent}.`,
  },
  {
    campaign: "Retention",
    skill: "Complaints",
    outcome: "Complaint resolved",
    text: `
    System (joined): {agent} has joined the chat.
    Customer: third time I write. nobody answers my complaint {reference}
    Agent: I am sorry, {first}. I have it in front of me and I stay with you until it is settled.
    Customer: the engineer left a hole in the wall
    System (attachment): Customer sent wall.jpg
    Agent: That is ours to repair. A plasterer comes at a time you choose, and you get {price} for the trouble.
    Customer: ok. tuesday morning
    Agent: Tuesday at nine. You have it in writing now.
    Customer: thank you for answering at last
    System (closed): The chat was closed by {agent}.`,
  },
];
