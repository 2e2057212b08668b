// Fernhollow's six campaigns: the numbers they answer, who works on them, and how their calls can end.
import { existing } from "./random.ts";

export interface Outcome {
  id: string;
  name: string;
  weight: number;
  /** The agents' remarks on the disposition. */
  notes: readonly string[];
}

export interface Campaign {
  id: string;
  name: string;
  weight: number;
  dnis: string;
  outboundShare: number;
  groups: readonly string[];
  skills: readonly { id: string; name: string }[];
  ivrPaths: readonly string[];
  outcomes: readonly Outcome[];
}

export const CAMPAIGNS: readonly Campaign[] = [
  {
    id: "C-100",
    name: "Billing Support",
    weight: 30,
    dnis: "8005550110",
    outboundShare: 0.1,
    groups: ["Billing Team"],
    skills: [
      { id: "1001", name: "Bills and payments" },
      { id: "1002", name: "Payment plans" },
    ],
    ivrPaths: ["Main > Bills > Balance", "Main > Bills > Payment", "Main > Bills > Agent"],
    outcomes: [
      outcome("D-101 Bill explained 5", "Estimated reading corrected", "Tariff change explained"),
      outcome("D-102 Payment plan set up 3", "Six instalments agreed"),
      outcome("D-103 Payment taken 4", "New card, receipt sent"),
      outcome("D-109 Call back promised 1", "Waiting for the meter reading"),
    ],
  },
  {
    id: "C-110",
    name: "Moves and Connections",
    weight: 18,
    dnis: "8005550111",
    outboundShare: 0.15,
    groups: ["Field Desk", "Billing Team"],
    skills: [
      { id: "1101", name: "House moves" },
      { id: "1102", name: "Deliveries" },
    ],
    ivrPaths: ["Main > Moving", "Main > Orders > Delivery"],
    outcomes: [
      outcome("D-111 Move booked 5", "Final reading on moving day", "New tenant to register"),
      outcome("D-112 Delivery rearranged 3", "Router goes to the workshop address"),
      outcome("D-113 Transferred 1", "To billing, deposit question"),
    ],
  },
  {
    id: "C-120",
    name: "Outage Line",
    weight: 16,
    dnis: "8005550112",
    outboundShare: 0,
    groups: ["Field Desk", "Technical Team"],
    skills: [
      { id: "1201", name: "Power cuts" },
      { id: "1202", name: "Priority customers" },
    ],
    ivrPaths: ["Main > Emergency", "Main > Emergency > Power"],
    outcomes: [
      outcome("D-121 Outage logged 6", "Known fault, text updates on", "Crew on the way"),
      outcome("D-122 Restored during call 2"),
      outcome("D-123 Priority visit sent 1", "Medical equipment in the home"),
    ],
  },
  {
    id: "C-130",
    name: "Retention",
    weight: 12,
    dnis: "8005550113",
    outboundShare: 0.4,
    groups: ["Growth Team", "Billing Team"],
    skills: [
      { id: "1301", name: "Cancellations" },
      { id: "1302", name: "Complaints" },
    ],
    ivrPaths: ["Main > Leaving", "Main > Complaints"],
    outcomes: [
      outcome("D-131 Customer kept 4", "Loyalty price for twelve months"),
      outcome("D-132 Cancelled 3", "Moves abroad", "Cheaper offer elsewhere"),
      outcome("D-133 Complaint resolved 3", "Credit for the missed visit"),
    ],
  },
  {
    id: "C-200",
    name: "Broadband Sales",
    weight: 14,
    dnis: "8005550120",
    outboundShare: 0.85,
    groups: ["Growth Team"],
    skills: [{ id: "2001", name: "Fibre sales" }],
    ivrPaths: ["Main > New service"],
    outcomes: [
      outcome("D-201 Sale 3", "Fibre 500, eighteen months"),
      outcome("D-202 Not interested 4", "Asked not to be called again"),
      outcome("D-203 No answer 3"),
      outcome("D-204 Call back agreed 2", "After the end of the month"),
    ],
  },
  {
    id: "C-300",
    name: "Technical Help",
    weight: 20,
    dnis: "8005550130",
    outboundShare: 0.05,
    groups: ["Technical Team"],
    skills: [
      { id: "3001", name: "Broadband faults" },
      { id: "3002", name: "Account access" },
    ],
    ivrPaths: ["Main > Technical > Internet", "Main > Technical > Password"],
    outcomes: [
      outcome("D-301 Solved 6", "Router restarted, line tested", "Wi-Fi channel changed"),
      outcome("D-302 Engineer booked 2", "Line noise at the street cabinet"),
      outcome("D-303 Password reset 3", "Identity checked by security question"),
    ],
  },
];

/** Finds a campaign by name; throws when there is none. */
export function campaignNamed(name: string): Campaign {
  return existing(
    CAMPAIGNS.find((campaign) => campaign.name === name),
    `campaign ${name}`,
  );
}

/** Finds an outcome of a campaign by name; throws when there is none. */
export function outcomeNamed(campaign: Campaign, name: string): Outcome {
  return existing(
    campaign.outcomes.find((each) => each.name === name),
    `outcome ${name} in ${campaign.name}`,
  );
}

/** Reads "id name weight", as in `D-202 Not interested 4`. */
function outcome(text: string, ...notes: string[]): Outcome {
  const [id = "", ...words] = text.split(" ");
  return { id, name: words.slice(0, -1).join(" "), weight: Number(words.at(-1)), notes };
}
