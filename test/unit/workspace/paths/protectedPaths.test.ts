import assert from 'node:assert/strict';
import { holdsSecrets, protectionTier } from '../../../../src/workspace/paths/protectedPaths';

const tier1 = [
  '.git/config',
  'packages/app/.git/hooks/pre-commit',
  '.GIT/config',
  '.g\u200cit/config',
  '.git./config',
  'GIT~1/config',
  '.vscode/tasks.json',
  'sub\\.vscode\\settings.json',
  'my.code-workspace',
  '.env',
  '.env.local',
  'config/.ENV.production',
  '.envrc',
  '.ssh/authorized_keys',
  'home/.bashrc',
  '.npmrc',
  '.yarnrc.yml',
  '.husky/pre-push',
  '.cursor/mcp.json',
  '.mcp.json',
  '.devcontainer/devcontainer.json',
  'certs/server.key',
  'id_ed25519',
];

const tier2 = [
  'package.json',
  'packages/a/Package.JSON',
  'pnpm-lock.yaml',
  'pyproject.toml',
  'requirements-dev.txt',
  'Cargo.toml',
  'go.mod',
  'Makefile',
  'tools/BUILD',
  'CMakeLists.txt',
  'Dockerfile.dev',
  'docker-compose.override.yml',
  'tsconfig.build.json',
  'vite.config.ts',
  '.eslintrc.cjs',
  'app/build.gradle.kts',
  'src/App.csproj',
  'test/conftest.py',
  '.github/workflows/ci.yml',
  '.gitlab-ci.yml',
  'Jenkinsfile',
  'AGENTS.md',
  'docs/CLAUDE.md',
];

const ordinary = [
  '',
  '.',
  'src/index.ts',
  'README.md',
  'src/build/output.ts',
  'workspace/notes.md',
  'git/config.ts',
  'environment.ts',
  'src/package.ts',
  'id_rsa.pub',
  '.gitkeep',
  'vscode/a.ts',
  'monkey.ts',
];

describe('protectionTier', () => {
  for (const path of tier1) it(`is 1 for ${path}`, () => assert.equal(protectionTier(path), 1));
  for (const path of tier2) it(`is 2 for ${path}`, () => assert.equal(protectionTier(path), 2));
  for (const path of ordinary) {
    it(`has none for ${path === '' ? 'an empty path' : path}`, () => assert.equal(protectionTier(path), undefined));
  }
});

describe('holdsSecrets', () => {
  for (const path of [
    '.env',
    'a/.env.test',
    '.ssh/config',
    '.npmrc',
    'server.pem',
    'keys/id_rsa',
    '.aws/credentials',
  ]) {
    it(`is true for ${path}`, () => assert.equal(holdsSecrets(path), true));
  }
  for (const path of ['.git/HEAD', 'package.json', '.vscode/settings.json', 'id_rsa.pub', 'src/env.ts']) {
    it(`is false for ${path}`, () => assert.equal(holdsSecrets(path), false));
  }
});
