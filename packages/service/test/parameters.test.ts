// A parameter that the contract declares and no handler reads would be a promise that nobody keeps: each is read.
import { type ParameterObject, type Route, routes } from "@call-media/api";
import { expect, test } from "vitest";
import { operations } from "../src/operations/operations.ts";
import { bearer, createWorld, toRequest, type World } from "./support/world.ts";

/** The values of the call in the archive. Other parameters have the example of the document. */
const OF_THE_CALL: Readonly<Record<string, unknown>> = { call_id: "c1", ref_id: "r1", part: 1 };

const authenticated = routes.filter(({ needsCredentials }) => needsCredentials);

test.each(authenticated)("$operationId reads all its parameters", async (route) => {
  const read = await listRead(route, await createWorld());
  const declared = route.parameters.map(toName);
  expect(declared.filter((name) => !read.has(name))).toEqual([]);
});

const toName = ({ in: place, name }: Pick<ParameterObject, "in" | "name">) => `${place} ${name}`;

async function listRead(route: Route, { store, service, key }: World) {
  const read = new Set<string>();
  const watch = (place: ParameterObject["in"]) => {
    const own = route.parameters.filter((parameter) => parameter.in === place);
    const values = own.map(({ name, example }) => [name, OF_THE_CALL[name] ?? example]);
    return new Proxy(Object.fromEntries(values), {
      get(target, name) {
        if (typeof name === "string") read.add(toName({ in: place, name }));
        return Reflect.get(target, name);
      },
    });
  };
  const [example] = Object.values(route.body?.examples ?? {});
  const handle = operations[route.operationId] as (request: object) => Promise<unknown>; // its own input
  await handle({
    request: toRequest(route.path),
    input: {
      path: watch("path"),
      query: watch("query"),
      header: watch("header"),
      body: example?.value,
    },
    caller: await service.access.authenticate(bearer(key).authorization),
    store,
    access: service.access,
    mediaRedirectSeconds: undefined,
  });
  return read;
}
