/** Owner rows and GC tasks. */
export { askedLooks, FOREGROUND_FINALIZER, ORPHAN_FINALIZER, sweeps, type Written } from './asked-looks.ts';
export { type Dependent, dependentsOf, hasDependents } from './dependents.ts';
export {
  type AskedLook,
  dueGcTasks,
  endGcTask,
  type GcTask,
  lookRow,
  postponeGcTask,
  type StoredGcTask,
} from './gc-tasks.ts';
export { type OwnerReference, ownerReferencesOf } from './owner-references.ts';
export { type OwnerPlan, ownerItems, planOwners } from './plan-owners.ts';
