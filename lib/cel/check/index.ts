export { checkTypes } from './checker.ts';
export { childrenOf } from './children.ts';
export { formatType } from './format-type.ts';
export { type Literals, validate } from './validate.ts';
