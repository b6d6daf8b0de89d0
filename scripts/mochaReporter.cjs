// The spec reporter. It also writes the counts and the failures into a file for `npm test`.
'use strict';

const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha/lib/mocha.cjs');

class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.OPEN_AGENT_TEST_REPORT;
    if (file === undefined || file === '') return;
    const failures = [];
    runner.on('fail', (test, error) => failures.push(`${test.fullTitle()}\n${error.message}`));
    runner.once('end', () => {
      const { passes, failures: failed, pending } = runner.stats;
      writeFileSync(file, JSON.stringify({ passed: passes, failed, skipped: pending, failures }));
    });
  }
}

// Tests end what they started in `exit` handlers, which a signal alone would skip.
process.once('SIGTERM', () => process.exit(143));

module.exports = CountingReporter;
