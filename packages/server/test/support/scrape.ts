// Reading what a Prometheus server would read: the text format, parsed strictly.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/gy;

/** Throws when the answer is not 200 or a line is not in the format. */
export async function scrape(url: string): Promise<Sample[]> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`the scrape was answered ${response.status}`);
  if (!response.headers.get("content-type")?.startsWith("text/plain; version=0.0.4"))
    throw new Error(`the scrape has the type ${response.headers.get("content-type")}`);
  return parseScrape(await response.text());
}

function parseScrape(text: string): Sample[] {
  const typed = new Set([...text.matchAll(/^# TYPE (\S+) \w+$/gm)].map(([, name]) => name));
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name = "", labels = "", value] = LINE.exec(line) ?? [];
      if (!typed.has(name) && !typed.has(name.replace(/_(bucket|sum|count)$/, "")))
        throw new Error(`no such metric was announced: ${line}`);
      return { name, labels: parseLabels(labels), value: Number(value) };
    });
}

function parseLabels(text: string): Record<string, string> {
  const matches = [...text.matchAll(LABEL)];
  if (matches.map(([all]) => all).join("") !== text) throw new Error(`not labels: ${text}`);
  return Object.fromEntries(matches.map(([, name = "", value = ""]) => [name, value]));
}

/** The value of the one sample with this name and at least these labels; 0 when there is none. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const found = samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  if (found.length > 1) throw new Error(`${name} is there ${found.length} times`);
  return found[0]?.value ?? 0;
}
