// Reads S3's XML responses: flat elements, of which only the text matters.

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

/** The text of the first element of this name. */
export function readText(xml: string, name: string): string | undefined {
  const text = listElements(xml, name)[0];
  return text?.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** The contents of the elements of these names, in their order. Elements nested in others of the same name are not supported. */
export function listElements(xml: string, ...names: readonly string[]): string[] {
  const element = new RegExp(`<(${names.join("|")})(?:\\s[^>]*)?>(.*?)</\\1>`, "gs");
  return [...xml.matchAll(element)].map(([, , content = ""]) => content);
}
