// The examples of the reference.
import type { OpenApiDocument } from "@call-media/api";

export function addSamples(document: OpenApiDocument): OpenApiDocument {
  return document;
}
