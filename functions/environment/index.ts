/** The settings of the deployment, from the environment of its functions. */
export { authorLife } from './author-life.ts';
export { optional } from './optional.ts';
export { required } from './required.ts';
export { schedulerProfile } from './scheduler-profile.ts';
export { serviceRange } from './service-range.ts';
export { subscribingRules } from './subscribing.ts';
