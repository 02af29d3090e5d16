/** The tasks that all three programs can do. Each begins at the list of all pods. */
export const TASKS = {
  find: 'find the objects with two labels',
  live: 'see a label change',
  label: 'change a label',
  owners: 'see the owners of a pod: ReplicaSet and Deployment',
  events: 'see the Events of a pod',
} as const;

export type Task = keyof typeof TASKS;

/** What only the console of Winnow can do. */
export const ONLY_OURS = [
  'a set that marks which objects enter, change and leave',
  'facets with counts of all values, and a pivot of two keys',
  'which selectors match an object, and what a label change would do to them',
  'relabel many objects at once, with undo',
  'the set as it was at a point of time',
  'the history of an object with user and diff, and restore',
  'reachability of pods as a matrix',
  'why a pod does not fit on a node',
  'see as another user',
] as const;
