import { writeFileSync } from 'node:fs';
import { format } from 'node:util';

/**
 * Runs the host suite in the extension host, the same under `@vscode/test-electron` and in the VS Code server. `load`
 * evaluates the test files, which needs mocha's globals. Throws when a test failed, as VS Code expects.
 */
export async function runSuite(load: () => void): Promise<void> {
  // Not bundled and imported late, because it is an ES module.
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({ ui: 'bdd', reporter: 'spec', color: false, timeout: 60_000, forbidOnly: true });
  // The window logs a lot of its own; the runner shows only lines with this mark.
  const mark = process.env['OPEN_AGENT_HOST_MARK'] ?? '';
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => console.log(mark + format(...args));
  const only = process.env['OPEN_AGENT_HOST_GREP'];
  if (only) mocha.grep(only);
  mocha.suite.emit('pre-require', globalThis, 'host suite', mocha);
  load();
  const report = { passed: 0, failed: 0, skipped: 0, failures: [] as string[] };
  const failed = await new Promise<number>((resolve) => {
    mocha
      .run(resolve)
      .on('pass', () => (report.passed += 1))
      .on('fail', (test, error: Error) => {
        report.failed += 1;
        report.failures.push(`${test.fullTitle()}\n${error.message}`);
      })
      .on('pending', () => (report.skipped += 1));
  });
  const file = process.env['OPEN_AGENT_TEST_REPORT'];
  if (file !== undefined && file !== '') writeFileSync(file, JSON.stringify(report));
  if (failed > 0) throw new Error(`${failed} host tests failed.`);
}
