// The spec reporter, which also leaves its counts where `npm test` adds them up.
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

module.exports = CountingReporter;
