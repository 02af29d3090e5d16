/** Pods are sent to nodes as they come: one function at a time, under a lease whose loss undoes nothing and lets nothing in. */
export { type Binder, type BinderOptions, createBinder } from './binder.ts';
