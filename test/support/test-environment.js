import { TestEnvironment } from 'jest-environment-node';

// A worker of jest's has half a second to end, or jest says that it leaks. It ends at once, but taking a heap of a
// gigabyte apart takes longer, and nobody needs that.
if (process.channel) process.once('exit', (code) => process.reallyExit(code));

export default TestEnvironment;
