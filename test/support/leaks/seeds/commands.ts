import path from 'node:path';
import { run, search, write, type Seed } from './seed';

/** Commands that read more than they seem to, run unasked. */
export const commandSeeds: readonly Seed[] = [
  ...[
    ['git diff -U ../outside/notes.txt a.txt', 'git diff --unified ../outside/notes.txt a.txt'],
    ['git diff -U .env a.txt', 'git diff --no-index .env a.txt', 'git diff .env a.txt'],
    ['ls -R --dereference', 'ls -RL', 'ls -LR .'],
    ['cat .env', 'cat ./.e*', 'cat link-env', 'head -5 link-notes.txt', 'cat < .env'],
    ['git remote -v', 'git config -l', 'cat .git/config', 'git config --get remote.origin.url'],
    ['grep -r TOKEN .', 'grep -rn MODE ..', 'git grep --no-index TOKEN', 'grep TOKEN -r'],
    ['sort -o a.txt table.csv', 'uniq table.csv a.txt', 'tree -o a.txt', 'sort --compress-program=evil -S 1k a.txt'],
    ['sed -n w.env a.txt', 'sed -n "r .env" a.txt', "sed -n '1e evil' a.txt", 'sed -i s/one/x/ a.txt'],
    ['jq env data.json', 'jq -f .env data.json', "jq -n 'env'", 'jq --rawfile x .env . data.json'],
    ['git grep -Oevil TOKEN', 'wc --files0-from=.env', 'sort --files0-from=.env', 'du --files0-from=.env'],
    ['cd .. && ls outside', 'cd outside; cat notes.txt', 'cd link-outside && cat notes.txt', 'cd vendor && git status'],
    ['git -C vendor status', 'git --git-dir=vendor/.git status', 'git --exec-path=bin log'],
    ['node --version; cat .env', 'file -f .env', 'file -m .env a.txt', 'cmp .env a.txt', 'diff .env a.txt'],
    ['find . -name .env -exec cat {} +', 'find . -newer .env', 'find -files0-from .env', 'find . -fprint a.txt'],
    ['find . -type f -exec cat {} +', 'find . -name .env | xargs cat', 'find . -type l -exec cat {} \\;'],
    [
      'ls -a | xargs cat',
      'echo .env | xargs -I{} sh -c "cat {}"',
      'git ls-files -o | xargs head',
      'cat a.txt | xargs cat',
    ],
    ['cat $(echo .env)', 'f=.env; cat "$f"', 'echo "$(cat ../outside/notes.txt)"', 'cat {a.txt,.env}', 'cat `ls -a`'],
    [
      'for f in .e* *; do cat "$f"; done',
      'ls -a | while read f; do cat "$f"; done',
      'while read f; do cat "$f"; done < .env',
    ],
    [
      'if cat .env; then ls; fi',
      '{ ls; cat .env; }',
      '(cd .. && cat outside/notes.txt)',
      'cd src; cat ../.env',
      '[[ -s .env ]]',
    ],
    [
      'echo new.txt | xargs touch',
      'echo $(touch new.txt)',
      'find src -exec sh -c "touch new.txt" {} +',
      '{ rm a.txt; }',
    ],
    ['cat a.txt > .env', 'echo x >> a.txt', 'touch new.txt', 'rm a.txt', 'ls | tee new.txt', 'mv a.txt b.txt'],
  ].map((commands): Seed => ({
    name: commands.join(', '),
    given: () => ({ way: 'headless', mode: 'acceptEdits', calls: commands.map((command) => run(command)) }),
  })),
  {
    name: 'git diff -U a private key a.txt',
    given: ({ home }) => ({
      way: 'endpoint',
      mode: 'ask',
      calls: [run(`git diff -U ${path.join(home, '.ssh/id_ed25519')} a.txt`)],
    }),
  },
  {
    name: 'patterns with very many alternatives',
    given: () => ({
      way: 'window',
      mode: 'acceptEdits',
      calls: [
        search('one', { include: '{a,b}'.repeat(30) }),
        search('one', { include: '{a,{b,{c,d}}}'.repeat(20) }),
        search('(a+)+$', { is_regex: true, path: 'a.txt' }),
        run(`ls ${'{a,b}'.repeat(30)}`),
      ],
    }),
  },
  {
    name: 'a rule for npm test used in another folder',
    given: () => ({
      way: 'headless',
      mode: 'ask',
      allow: ['npm test'],
      calls: [run('npm test'), run('npm test', { cwd: 'node_modules/evil' })],
    }),
    allowed: { programs: /^npm test in \S*\/ws$/ },
  },
  {
    name: 'variables with secrets in the environment of a command',
    given: () => ({
      way: 'headless',
      mode: 'ask',
      allow: ['env', 'printenv *'],
      calls: [run('env'), run('printenv OPENAI_API_KEY')],
    }),
  },
  ...(['headless', 'window'] as const).map((way): Seed => ({
    name: `a search for TOKEN below everything, ${way}`,
    given: () => ({
      way,
      usesRipgrep: true,
      mode: 'ask',
      calls: [
        ...['TOKEN', 'MODE', 'settings'].map((word) => search(word)),
        search('TOKEN', { include: '**/.env*' }),
        search('.', { is_regex: true, include: '*.key' }),
        search('TOKEN', { path: 'certs' }),
        search('TOKEN', { path: 'link-outside' }),
      ],
    }),
    needsRipgrep: way === 'window',
  })),
  ...[
    ['rg TOKEN', 'rg -n MODE .', 'rg TOKEN certs', 'rg TOKEN infra/'],
    [
      'rg --hidden TOKEN',
      'rg -uuu TOKEN',
      'rg --no-ignore TOKEN',
      'rg -L TOKEN',
      'rg --pre evil TOKEN',
      'rg -f .env a.txt',
    ],
  ].map((commands): Seed => ({
    name: commands.join(', '),
    given: () => ({ way: 'headless', mode: 'ask', calls: commands.map((command) => run(command)) }),
    needsRipgrep: true,
  })),
  {
    name: 'an ignore file that widens a search',
    given: () => ({
      way: 'window',
      mode: 'acceptEdits',
      calls: [write('.rgignore', '!.env\n'), run('rg TOKEN'), search('TOKEN')],
      allows: ({ tool }) => tool === 'write_file',
    }),
    allowed: { changes: ['created ws/.rgignore'] },
    needsRipgrep: true,
  },
];
