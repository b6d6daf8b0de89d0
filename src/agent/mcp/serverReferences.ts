import { withoutEnding } from '../../util/text/withoutEnding';

/** A resource of an MCP server that a prompt names: `@server:uri`. */
export interface ResourceReference {
  readonly server: string;
  readonly uri: string;
}

/** A prompt of an MCP server that a person calls: `/server:prompt words`. */
export interface PromptCall {
  readonly server: string;
  readonly prompt: string;
  /** The text after the name. */
  readonly words: string;
}

/**
 * The resources that a text names, each once, in order. `isServer` tells the names of servers; another `@name` is just
 * text. Punctuation at the end of a sentence is not part of the address.
 */
export function findResources(text: string, isServer: (name: string) => boolean): readonly ResourceReference[] {
  const found = new Map<string, ResourceReference>();
  for (const [, server = '', address = ''] of text.matchAll(/(?<!\S)@([\w-]+):(\S+)/g)) {
    const uri = withoutEnding(address, `.,;!?)]'"`);
    if (uri !== '' && isServer(server)) found.set(`${server}:${uri}`, { server, uri });
  }
  return [...found.values()];
}

/** The call of a prompt, if the whole text is one. */
export function readPromptCall(text: string, isServer: (name: string) => boolean): PromptCall | undefined {
  const [, server = '', prompt = '', words = ''] = /^\/([\w-]+):(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  return prompt !== '' && isServer(server) ? { server, prompt, words: words.trim() } : undefined;
}

/**
 * Reads the words after a prompt's name as arguments: `name=value` by name, other words in order, the rest into the last
 * argument. Double quotes keep words together.
 */
export function readArguments(words: string, names: readonly string[]): Readonly<Record<string, string>> {
  const given = new Map<string, string>();
  const loose: string[] = [];
  for (const [word] of words.matchAll(/(?:[^\s"]|"[^"]*"?)+/g)) {
    const [, name = '', value = ''] = /^([^="]+)=([\s\S]*)$/.exec(word) ?? [];
    if (names.includes(name)) given.set(name, withoutQuotes(value));
    else loose.push(withoutQuotes(word));
  }
  const open = names.filter((name) => !given.has(name));
  open.forEach((name, index) => {
    const isLast = index === open.length - 1;
    const value = isLast ? loose.slice(index).join(' ') : loose[index];
    if (value !== undefined && value !== '') given.set(name, value);
  });
  return Object.fromEntries(given);
}

function withoutQuotes(word: string): string {
  return word.replaceAll('"', '');
}
