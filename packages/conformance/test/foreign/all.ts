// The services by their style.
import { articles } from "./articles.ts";
import { contacts } from "./contacts.ts";
import { cluster } from "./cluster.ts";
import { identities } from "./identities.ts";
import { payments } from "./payments.ts";
import { petstore } from "./petstore.ts";
import type { Foreign } from "./service.ts";
import { shelves } from "./shelves.ts";
import { snippets } from "./snippets.ts";

export const SERVICES: Readonly<Record<string, Foreign>> = {
  "a pet store, converted from Swagger 2.0": petstore,
  "a container cluster": cluster,
  "payments by forms": payments,
  "articles in JSON:API": articles,
  "contacts with a map of properties": contacts,
  "users of a directory, by SCIM": identities,
  "snippets of code": snippets,
  "shelves by forms": shelves,
};
