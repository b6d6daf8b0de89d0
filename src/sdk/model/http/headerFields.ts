/**
 * The header fields of a message, with the methods of the platform's `Headers`: names in lower case, several values of a
 * name joined by a comma, except those of `set-cookie`. Node loads its whole `fetch` for that class, which is a twelfth of
 * the time until the first request. Source: https://fetch.spec.whatwg.org/#headers-class
 */
export class HeaderFields implements Headers {
  readonly #values = new Map<string, string[]>();

  constructor(given: RequestInit['headers'] = []) {
    const fields = Symbol.iterator in given ? given : Object.entries(given);
    for (const [name, value] of fields) {
      if (typeof name === 'string' && value !== undefined) this.append(name, String(value));
    }
  }

  append(name: string, value: string): void {
    const known = this.#values.get(name.toLowerCase());
    if (known) known.push(trimmed(value));
    else this.set(name, value);
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), [trimmed(value)]);
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase())?.join(', ') ?? null;
  }

  getSetCookie(): string[] {
    return [...(this.#values.get(SET_COOKIE) ?? [])];
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  forEach(take: (value: string, name: string, fields: Headers) => void, self?: unknown): void {
    for (const [name, value] of this) take.call(self, value, name, this);
  }

  *entries(): ReturnType<Headers['entries']> {
    for (const name of [...this.#values.keys()].toSorted()) {
      const values = this.#values.get(name) ?? [];
      if (name !== SET_COOKIE) yield [name, values.join(', ')];
      else for (const value of values) yield [name, value];
    }
  }

  *keys(): ReturnType<Headers['keys']> {
    for (const [name] of this) yield name;
  }

  *values(): ReturnType<Headers['values']> {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator](): ReturnType<Headers['entries']> {
    return this.entries();
  }
}

const SET_COOKIE = 'set-cookie';

/** Blanks around a value are not part of it. A caller's value may be no string. */
function trimmed(value: unknown): string {
  return String(value).replaceAll(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
}
