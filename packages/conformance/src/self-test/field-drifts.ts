// Drifts of one field, derived from its schema: lost, renamed, doubled, of another type, null.

/** A field according to its schema. */
export interface DriftingField {
  readonly name: string;
  /** Types of JSON Schema; empty if any value is permitted. */
  readonly types: readonly string[];
  readonly isRequired: boolean;
}

type Wrong = null | boolean | number | string | never[];

export interface FieldDrift {
  readonly says: string;
  /** Changes the object that has the field. */
  readonly change: <Value>(
    object: Readonly<Record<string, Value>>,
  ) => Record<string, Value | Wrong>;
}

/** Undefined if the field cannot break its schema in this way. */
type Kind = (field: DriftingField) => FieldDrift | undefined;

/** `added` breaks a document only if its objects are closed. */
export const fieldDrifts: Readonly<
  Record<"lost" | "renamed" | "added" | "retyped" | "null", Kind>
> = {
  lost: ({ name, isRequired }) =>
    isRequired
      ? {
          says: `${name} is missing`,
          change: (object) =>
            Object.fromEntries(Object.entries(object).filter(([key]) => key !== name)),
        }
      : undefined,
  renamed: ({ name, isRequired }) =>
    isRequired
      ? {
          says: `${name} is called ${toOther(name)}`,
          change: (object) =>
            Object.fromEntries(
              Object.entries(object).map(([key, value]) => [
                key === name ? toOther(name) : key,
                value,
              ]),
            ),
        }
      : undefined,
  added: ({ name }) => ({
    says: `${toOther(name)} comes in addition to ${name}`,
    change: (object) => ({ ...object, [toOther(name)]: object[name] ?? null }),
  }),
  retyped: ({ name, types: [type, ...others] }) => {
    const wrong = others.some((one) => one !== "null") ? undefined : OF_ANOTHER_TYPE[type ?? ""];
    return wrong === undefined
      ? undefined
      : { says: `${name} is ${JSON.stringify(wrong)}`, change: setting(name, wrong) };
  },
  null: ({ name, types }) =>
    types.length === 0 || types.includes("null")
      ? undefined
      : { says: `${name} is null`, change: setting(name, null) },
};

const OF_ANOTHER_TYPE: Readonly<Record<string, Wrong>> = {
  string: 7,
  integer: "7",
  number: "7",
  boolean: "true",
  array: "one, two",
  object: [],
};

const setting =
  (name: string, wrong: Wrong): FieldDrift["change"] =>
  (object) =>
    name in object ? { ...object, [name]: wrong } : { ...object };

/** `agentName` for `agent_name`, `Id` for `id`. */
function toOther(name: string): string {
  const joined = name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
  if (joined !== name) return joined;
  const [first = ""] = name;
  const upper = first.toUpperCase();
  return (first === upper ? first.toLowerCase() : upper) + name.slice(1);
}
