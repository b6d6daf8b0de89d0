/** VS Code's ids of languages that models name in another way. */
const ids: ReadonlyMap<string, string> = new Map([
  ['bash', 'shellscript'],
  ['c#', 'csharp'],
  ['c++', 'cpp'],
  ['cs', 'csharp'],
  ['cjs', 'javascript'],
  ['golang', 'go'],
  ['h', 'c'],
  ['hpp', 'cpp'],
  ['htm', 'html'],
  ['js', 'javascript'],
  ['jsx', 'javascriptreact'],
  ['kt', 'kotlin'],
  ['make', 'makefile'],
  ['md', 'markdown'],
  ['mjs', 'javascript'],
  ['objc', 'objective-c'],
  ['patch', 'diff'],
  ['pl', 'perl'],
  ['ps1', 'powershell'],
  ['py', 'python'],
  ['rb', 'ruby'],
  ['rs', 'rust'],
  ['sh', 'shellscript'],
  ['shell', 'shellscript'],
  ['text', 'plaintext'],
  ['ts', 'typescript'],
  ['tsx', 'typescriptreact'],
  ['txt', 'plaintext'],
  ['yml', 'yaml'],
  ['zsh', 'shellscript'],
]);

/** The id of a language, as a block of code names it or as the ending of its path tells. `undefined`: unknown here. */
export function languageIdOf(named: string, path: string | undefined, known: readonly string[]): string | undefined {
  const ending = path === undefined ? '' : path.slice(path.lastIndexOf('.') + 1);
  return [named, ending]
    .map((name) => name.toLowerCase())
    .map((name) => ids.get(name) ?? name)
    .find((id) => known.includes(id));
}
