/** The settings of the deployment, from the environment of its functions. */
export { authorLife } from './author-life.ts';
export { historyDays } from './history-days.ts';
export { optional } from './optional.ts';
export { required } from './required.ts';
export { schedulerProfile } from './scheduler-profile.ts';
export { serviceRange } from './service-range.ts';
export { subscribingRules } from './subscribing.ts';
