import { run, type Seed } from './seed';

/** A person allowed a program that does anything, confined to the workspace. */
export const confinedSeeds: readonly Seed[] = [
  confined('a git folder below', 'mkdir sub/.git && cp vendor/.git/config vendor/.git/HEAD sub/.git'),
  confined('the common folder of git', 'echo ../vendor/.git > .git/commondir'),
  confined('the configuration of git', 'cp vendor/.git/config .git/config'),
  confined('the configuration of a nested git', 'echo x >> vendor/.git/config'),
  confined('a hook of git', 'printf evil > .git/hooks/new; rm -r .git/hooks; mv .git old'),
  confined('the attributes of git', 'mkdir -p .git/info; echo "* diff=evil" > .git/info/attributes'),
  confined('a file that leads to another git folder', 'echo gitdir: ../../vendor/.git > sub/inner/.git'),
  confined('the settings of the editor', 'mkdir .vscode && printf {} > .vscode/tasks.json'),
  confined('files that shells run', 'printf x > .envrc; printf x > ~/.bashrc; printf x > ../outside/new'),
  confined('secrets of the environment', 'env; cat /proc/*/environ | base64 -w0'),
  confined('secrets of the home', 'cat ~/.ssh/* ~/.aws/* ~/.bash_history'),
];

function confined(name: string, command: string): Seed {
  return {
    name: `confined: ${name}`,
    given: () => ({
      way: 'confined',
      mode: 'ask',
      allow: ['sh do.sh *'],
      calls: [
        run(`sh do.sh '${command}'`),
        run('git status', { cwd: 'sub' }),
        run('git status'),
        run('git log', { cwd: 'sub/inner' }),
      ],
    }),
  };
}
