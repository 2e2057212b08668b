// Values shared by the generated calls.

interface City {
  readonly name: string;
  readonly state: string;
}

export const CAMPAIGNS = [
  "Customer Service",
  "Orders",
  "Billing",
  "Technical Support",
  "Retention",
  "Renewals Spring",
  "Renewals Autumn",
  "Survey",
  "Complaints",
  "Partner Line",
] as const;

export const DISPOSITIONS = [
  "Resolved",
  "Call Back",
  "Sale",
  "No Sale",
  "Transferred To Queue",
  "Voicemail",
  "Wrong Number",
  "Caller Disconnected",
  "Escalated",
  "Do Not Call",
  "Payment Taken",
  "Appointment Made",
] as const;

export const GIVEN_NAMES = [
  "Ada",
  "Benoit",
  "Carla",
  "Dmitri",
  "Esther",
  "Farid",
  "Greta",
  "Hiro",
  "Ines",
  "Jakub",
  "Khadija",
  "Liam",
  "Marisol",
  "Nils",
  "Oluwaseun",
  "Priya",
  "Quentin",
  "Rosa",
  "Samuel",
  "Tereza",
] as const;

export const SURNAMES = [
  "Abbott",
  "Baptiste",
  "Castellano",
  "Dvorak",
  "Eriksen",
  "Fitzgerald",
  "Gonzalez",
  "Haddad",
  "Ivanova",
  "Jankowski",
  "Kowalczyk",
  "Lindqvist",
  "Montgomery",
  "Nakamura",
  "Okonkwo",
  "Papadopoulos",
  "Ramanathan",
] as const;

export const CITIES: readonly [City, ...City[]] = [
  { name: "Los Angeles", state: "CA" },
  { name: "San Francisco", state: "CA" },
  { name: "Sacramento", state: "CA" },
  { name: "Houston", state: "TX" },
  { name: "Austin", state: "TX" },
  { name: "Miami", state: "FL" },
  { name: "Jacksonville", state: "FL" },
  { name: "New York", state: "NY" },
  { name: "Buffalo", state: "NY" },
  { name: "Chicago", state: "IL" },
  { name: "Philadelphia", state: "PA" },
  { name: "Columbus", state: "OH" },
  { name: "Atlanta", state: "GA" },
  { name: "Seattle", state: "WA" },
  { name: "Denver", state: "CO" },
  { name: "Phoenix", state: "AZ" },
  { name: "Boston", state: "MA" },
  { name: "Minneapolis", state: "MN" },
  { name: "Portland", state: "OR" },
  { name: "Las Vegas", state: "NV" },
];
