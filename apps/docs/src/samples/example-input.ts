// The service and the input of an operation's examples: what the contract itself gives as an example, so that the demo service knows it.
import type { Route } from "@call-media/api";

/** The service of every example. */
export const BASE_URL = "https://archive.example.com";

export interface ExampleInput {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** What must be given and nothing else. */
export function toExampleInput({ parameters, body }: Route): ExampleInput {
  const required = parameters.filter((parameter) => parameter.required);
  const pick = (where: string) =>
    Object.fromEntries(
      required
        .filter((parameter) => parameter.in === where)
        .map(({ name, example }) => [name, example]),
    );
  const [example] = Object.values(body?.examples ?? {});
  // The bodies of the contract are objects.
  const value = example?.value as Readonly<Record<string, unknown>> | undefined;
  return { path: pick("path"), query: pick("query"), body: value };
}
