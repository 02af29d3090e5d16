import { readFileSync } from 'node:fs';

// The totals of several jest runs, from their JSON results, as one plain line.
const runs = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const sum = (key) => runs.reduce((total, run) => total + run[key], 0);
// A suite that cannot be loaded has no failed test in it, and has failed all the same.
const failed = sum('numFailedTests') + sum('numRuntimeErrorTestSuites');
console.log(`${sum('numPassedTests')} passed, ${failed} failed`);
