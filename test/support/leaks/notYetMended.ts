/** Attacks that still work, each with the reason. `LEAKS_ALL=1` tries them too. */
const notYetMended: Readonly<Record<string, string>> = {
  ...because('Options are read otherwise than the program reads them.', [
    'git diff -U ../outside/notes.txt a.txt, git diff --unified ../outside/notes.txt a.txt',
    'git diff -U a private key a.txt',
    'ls -R --dereference, ls -RL, ls -LR .',
  ]),
  ...because('Searching programs read protected files below a folder.', [
    'rg TOKEN, rg -n MODE ., rg TOKEN certs, rg TOKEN infra/',
    'an ignore file that widens a search',
  ]),
  ...because('A confined command may write files that run later.', [
    'confined: a git folder below',
    'confined: the common folder of git',
    'confined: the configuration of a nested git',
    'confined: the attributes of git',
    'confined: a file that leads to another git folder',
    'confined: the settings of the editor',
    'confined: files that shells run',
  ]),
};

function because(reason: string, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}

export const attacksNotYetMended: readonly string[] = Object.keys(notYetMended);

export function isMended(name: string): boolean {
  return process.env['LEAKS_ALL'] === '1' || !Object.hasOwn(notYetMended, name);
}
