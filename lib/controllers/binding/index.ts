/** Pods are sent to nodes as they come: one function at a time, under a lease whose loss undoes nothing and lets nothing in. */

export { type Binder, createBinder } from './binder.ts';
export type { BinderOptions } from './binder-options.ts';
