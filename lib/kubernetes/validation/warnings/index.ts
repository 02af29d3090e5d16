/** Kubernetes' warnings about objects that were written: the header `Warning` of an answer. */
export { type Written, warningsOf } from './warnings-of.ts';
