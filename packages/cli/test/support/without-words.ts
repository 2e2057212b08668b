// A service that does not know the parameter `words` (D30), and ignores it, as most do with what they do not know.
import type { FakeService } from "@call-media/testing";

export function withoutWords(service: FakeService): FakeService {
  return {
    ...service,
    fetch: (url, init) => {
      const asked = new URL(new Request(url).url);
      asked.searchParams.delete("words");
      const headers = new Headers(init?.headers);
      if (headers.get("Prefer")?.includes("count=exact")) headers.set("Prefer", "count=exact");
      else headers.delete("Prefer");
      return service.fetch(asked.href, { ...init, headers });
    },
  };
}
