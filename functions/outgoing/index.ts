/** Requests that functions make without an SDK client: invocations, reads of marks, and the reading of answers. */
export { InvocationError, invokeLambda } from './invoke-lambda.ts';
export { readBounded } from './read-bounded.ts';
export { marksReader } from './read-marks.ts';
