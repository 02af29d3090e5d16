/** Alarms, faults and the dashboard. */
export { Alarms } from './alarms.ts';
export { Dashboard } from './dashboard.ts';
export { watchSetAside } from './watch-set-aside.ts';
