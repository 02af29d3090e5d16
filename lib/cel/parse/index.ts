export { ACCUMULATOR } from './builder.ts';
export { parse } from './parser.ts';
