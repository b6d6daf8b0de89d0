// The spec reporter. It also writes the counts into a file for `npm test`.
'use strict';

const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha/lib/mocha.cjs');

class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.OPEN_AGENT_TEST_COUNTS;
    if (file === undefined || file === '') return;
    runner.once('end', () => {
      const { passes, failures, pending } = runner.stats;
      writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
    });
  }
}

// Tests end what they started in `exit` handlers, which a signal alone would skip.
process.once('SIGTERM', () => process.exit(143));

module.exports = CountingReporter;
