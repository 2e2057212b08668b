// What of a call is searched (D30): its texts, names and numbers, in the order in which passages are shown.

type Text = string | null | undefined;

/** A metadata record, or as much of it as is searched. */
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

/** One text or number of a call. A phrase never crosses two. */
export interface Source {
  /** The field; `customer` for first, middle and last name as one text; `chat` for a message. */
  readonly from: string;
  /** Of a chat: the place of the message, from 0. */
  readonly message?: number;
  readonly text: string;
  readonly isNumber?: boolean;
}

/** All that a query may match. */
export interface Searched {
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
}

const NUMBERS = ["ani", "dnis", "phone_number1", "phone_number2", "phone_number3"] as const;

/** True if a field has a telephone number, which is found in any notation. */
export const isNumberField = (field: string): boolean => NUMBERS.some((one) => one === field);

/** Identifiers, the customer's e-mail, custom and security fields are not among them: they have exact filters. */
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

/** The same as a query sees it. */
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
