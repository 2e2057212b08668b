// Lists the searchable parts of a call (D30): texts, names and numbers, in the order in which passages are shown.

type Text = string | null | undefined;

/** The searchable part of a metadata record. */
export interface SearchedRecord {
  readonly transcript?: Text;
  readonly notes?: Text;
  readonly disposition_notes?: Text;
  readonly customer_first_name?: Text;
  readonly customer_middle_name?: Text;
  readonly customer_last_name?: Text;
  readonly agent_name?: Text;
  readonly dest_agent_name?: Text;
  readonly company?: Text;
  readonly ani?: Text;
  readonly dnis?: Text;
  readonly phone_number1?: Text;
  readonly phone_number2?: Text;
  readonly phone_number3?: Text;
}

/** A message of the call's chat. */
export interface SearchedMessage {
  readonly transcript?: Text;
}

/** One text or number of a call. A phrase never spans two. */
export interface Source {
  /** The field; `customer` for first, middle and last name as one text; `chat` for a message. */
  readonly from: string;
  /** For a chat: the index of the message, from 0. */
  readonly message?: number;
  readonly text: string;
  readonly isNumber?: boolean;
}

/** Everything that a query can match. */
export interface Searched {
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
}

const NUMBERS = ["ani", "dnis", "phone_number1", "phone_number2", "phone_number3"] as const;

/** True if the field holds a telephone number, which is found in any notation. */
export const isNumberField = (field: string): boolean => NUMBERS.some((one) => one === field);

/** Omits identifiers, the customer's e-mail, custom and security fields: they have exact filters. */
export function listSources(
  record: SearchedRecord,
  messages: readonly SearchedMessage[] = [],
): Source[] {
  const names = [
    record.customer_first_name,
    record.customer_middle_name,
    record.customer_last_name,
  ];
  return [
    ...toSource("transcript", record.transcript),
    ...messages.flatMap(({ transcript }, message) =>
      toSource("chat", transcript).map((source) => ({ ...source, message })),
    ),
    ...toSource("notes", record.notes),
    ...toSource("disposition_notes", record.disposition_notes),
    ...toSource("customer", names.filter(Boolean).join(" ")),
    ...toSource("agent_name", record.agent_name),
    ...toSource("dest_agent_name", record.dest_agent_name),
    ...toSource("company", record.company),
    ...NUMBERS.flatMap((field) =>
      toSource(field, record[field]).map((source) => ({ ...source, isNumber: true })),
    ),
  ];
}

/** The same content in the form that a query is matched against. */
export function toSearched(
  record: SearchedRecord,
  messages: readonly SearchedMessage[] = [],
): Searched {
  const sources = listSources(record, messages);
  return {
    texts: sources.filter(({ isNumber }) => isNumber !== true).map(({ text }) => text),
    numbers: sources.filter(({ isNumber }) => isNumber === true).map(({ text }) => text),
  };
}

function toSource(from: string, text: Text): Source[] {
  return text === undefined || text === null || text === "" ? [] : [{ from, text }];
}
