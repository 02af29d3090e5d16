/** What functions send, besides requests of SDK clients: invocations of other functions, and the reading of answers. */
export { credentials, InvocationError, invokeLambda } from './invoke-lambda.ts';
export { readBounded } from './read-bounded.ts';
