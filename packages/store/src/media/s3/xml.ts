// What S3 answers in XML: flat elements, whose texts are what matters.

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

/** What stands in the elements of these names, in their order. An element with others of its own name in it is not known. */
export function listElements(xml: string, ...names: readonly string[]): string[] {
  const element = new RegExp(`<(${names.join("|")})(?:\\s[^>]*)?>(.*?)</\\1>`, "gs");
  return [...xml.matchAll(element)].map(([, , content = ""]) => content);
}
