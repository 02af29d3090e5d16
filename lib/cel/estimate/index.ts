export { estimate } from './estimate.ts';
export type { SizeOf } from './operand.ts';
export { MOST, type Range } from './range.ts';
