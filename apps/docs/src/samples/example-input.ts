// The service and the input of an operation's examples: what the contract itself gives as an example, so that the demo service knows it.
import type { Route } from "@call-media/api";

/** The service of every example. */
export const BASE_URL = "https://archive.example.com";

/** Parameters, and bodies, of the contract are flat. */
export type Values = Readonly<Record<string, string | number>>;

export interface ExampleInput {
  readonly path: Values;
  readonly query: Values;
  readonly body: Values | undefined;
}

/** What must be given and nothing else. */
export function toExampleInput({ parameters, body }: Route): ExampleInput {
  const required = parameters.filter((parameter) => parameter.required);
  const pick = (where: string): Values =>
    Object.fromEntries(
      required
        .filter((parameter) => parameter.in === where)
        .map(({ name, example }) => [name, example as string | number]), // by redocly's lint
    );
  const [example] = Object.values(body?.examples ?? {});
  const value = example?.value as Values | undefined;
  return { path: pick("path"), query: pick("query"), body: value };
}
