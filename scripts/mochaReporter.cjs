// The spec reporter. It also writes the counts, also those of each file, and the failures into a file for `npm test`.
'use strict';

const { writeFileSync } = require('node:fs');
const path = require('node:path');
const { reporters } = require('mocha/lib/mocha.cjs');

class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.OPEN_AGENT_TEST_REPORT;
    if (file === undefined || file === '') return;
    const failures = [];
    const files = {};
    const count = (test, outcome) => {
      const name = path.relative('', test.file ?? '').replaceAll(path.sep, '/');
      files[name] ??= { passed: 0, failed: 0, skipped: 0 };
      files[name][outcome] += 1;
    };
    runner.on('pass', (test) => count(test, 'passed'));
    runner.on('pending', (test) => count(test, 'skipped'));
    runner.on('fail', (test, error) => {
      count(test, 'failed');
      failures.push(`${test.fullTitle()}\n${error.message}`);
    });
    runner.once('end', () => {
      const { passes, failures: failed, pending } = runner.stats;
      writeFileSync(file, JSON.stringify({ passed: passes, failed, skipped: pending, failures, files }));
    });
  }
}

// Tests end what they started in `exit` handlers, which a signal alone would skip.
process.once('SIGTERM', () => process.exit(143));

module.exports = CountingReporter;
