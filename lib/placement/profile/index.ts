/** The arguments of kube-scheduler's plugins. Code that only checks a configuration does not load the rest of the package. */
export { type PreferredTerm, readPreferredTerms, sumPreferences } from './preferred-terms.ts';
export {
  type PluginArguments,
  type Profile,
  type Profiles,
  parseProfile,
  readProfiles,
  type SchedulingProfile,
} from './profile.ts';
export { parseSchedulerConfiguration } from './scheduler-configuration.ts';
