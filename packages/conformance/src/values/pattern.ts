// Generates a text that matches a regular expression, for common patterns in documents: classes, groups, alternatives, repetition.

const CLASSES: Readonly<Record<string, string>> = {
  d: "1",
  w: "a",
  s: " ",
  D: "a",
  W: "-",
  S: "a",
};

/** Undefined if the pattern uses unsupported syntax. */
export function toMatching(pattern: string): string | undefined {
  const text = new Writer(pattern).write();
  try {
    return new RegExp(pattern, "u").test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

class Writer {
  #at = 0;
  readonly #pattern: string;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  write(): string {
    let text = "";
    for (let part = this.#part(); part !== undefined; part = this.#part())
      text += part.repeat(this.#times());
    // Always uses the first alternative.
    if (this.#peek() === "|") {
      let depth = 0;
      for (
        ;
        this.#at < this.#pattern.length && (depth > 0 || this.#peek() !== ")");
        this.#at += 1
      ) {
        if (this.#peek() === "\\") this.#at += 1;
        else if (this.#peek() === "(") depth += 1;
        else if (this.#peek() === ")") depth -= 1;
      }
    }
    return text;
  }

  #peek = (): string => this.#pattern.charAt(this.#at);

  #next(): string {
    this.#at += 1;
    return this.#pattern.charAt(this.#at - 1);
  }

  #part(): string | undefined {
    if (this.#peek() === "" || this.#peek() === ")" || this.#peek() === "|") return undefined;
    const letter = this.#next();
    if (letter === "^" || letter === "$") return "";
    if (letter === "\\") return this.#escaped();
    if (letter === "[") return this.#class();
    if (letter === ".") return "a";
    if (letter !== "(") return letter;
    const [mark = ""] = /^\?(?::|<\w+>|[=!])/.exec(this.#pattern.slice(this.#at)) ?? [];
    this.#at += mark.length;
    const inner = this.write();
    this.#at += 1;
    return mark === "?!" || mark === "?=" ? "" : inner;
  }

  #escaped(): string {
    const letter = this.#next();
    return letter === "b" ? "" : (CLASSES[letter] ?? letter);
  }

  #class(): string {
    const isNot = this.#peek() === "^";
    let first = "";
    while (this.#peek() !== "]" && this.#peek() !== "") {
      const letter = this.#next();
      const one = letter === "\\" ? this.#escaped() : letter;
      if (first === "") first = one;
    }
    this.#at += 1;
    return isNot ? "a" : first;
  }

  #times(): number {
    const [mark = "", least] =
      /^(?:\{(\d+)(?:,\d*)?\}|[?*+])\??/.exec(this.#pattern.slice(this.#at)) ?? [];
    this.#at += mark.length;
    if (least !== undefined) return Number(least);
    return mark.startsWith("?") || mark.startsWith("*") ? 0 : 1;
  }
}
