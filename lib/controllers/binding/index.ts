/**
 * Binds pods to nodes as they arrive. One function works at a time, under a lease. Losing the lease undoes no
 * binding, and a fence rejects later writes.
 */

export { type Binder, createBinder } from './binder.ts';
export type { BinderOptions } from './binder-options.ts';
