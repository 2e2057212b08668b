// The service and the input of an operation's examples, from the contract's own examples, which the demo service knows.
import type { Route } from "@call-media/api";

/** The service of every example. */
export const BASE_URL = "https://archive.example.com";

/** Parameters and bodies of the contract are flat. */
export type Values = Readonly<Record<string, string | number>>;

export interface ExampleInput {
  readonly path: Values;
  readonly query: Values;
  readonly body: Values | undefined;
}

/** Returns only the required input. */
export function toExampleInput({ parameters, body }: Route): ExampleInput {
  const required = parameters.filter((parameter) => parameter.required);
  const pick = (where: string): Values =>
    Object.fromEntries(
      required
        .filter((parameter) => parameter.in === where)
        .map(({ name, example }) => [name, example as string | number]), // redocly's lint requires it
    );
  const [example] = Object.values(body?.examples ?? {});
  const value = example?.value as Values | undefined;
  return { path: pick("path"), query: pick("query"), body: value };
}
