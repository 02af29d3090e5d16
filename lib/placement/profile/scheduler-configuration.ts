import { DEFAULT_SCHEDULER, objectOf, type PluginArguments, type Profile, parseProfile } from './profile.ts';

const KIND = 'KubeSchedulerConfiguration';
const VERSIONS = ['v1', 'v1beta3'].map((version) => `kubescheduler.config.k8s.io/${version}`);
/** The ignored fields: settings of kube-scheduler's process, and the number of nodes that it evaluates. */
const IGNORED = [
  ...['leaderElection', 'clientConnection', 'healthzBindAddress', 'metricsBindAddress'],
  ...['enableProfiling', 'enableContentionProfiling', 'parallelism', 'percentageOfNodesToScore'],
  ...['podInitialBackoffSeconds', 'podMaxBackoffSeconds', 'delayCacheUntilActive'],
];

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a configuration file of kube-scheduler, in the form of JSON: the arguments of NodeAffinity and
 * InterPodAffinity of
 * each profile. The plugins are always kube-scheduler's default ones.
 *
 * @see https://kubernetes.io/docs/reference/scheduling/config/
 * @throws {SelectorError} a selector is invalid
 * @throws {TypeError} the file needs something that placement does not have, such as extenders
 */
export function parseSchedulerConfiguration(given: unknown): Profile {
  const { apiVersion, kind, profiles = [], extenders, ...others } = objectOf(given, 'the configuration');
  if (kind === 'Policy') {
    throw new TypeError(
      `kind: "Policy": Kubernetes 1.23 removed scheduling policies, and with them predicates, priorities and extenders; write a ${KIND}`,
    );
  }
  if (kind !== KIND) throw new TypeError(`kind: ${JSON.stringify(kind)}: must be "${KIND}"`);
  if (!VERSIONS.includes(String(apiVersion))) {
    throw new TypeError(`apiVersion: ${JSON.stringify(apiVersion)}: must be one of ${VERSIONS.join(', ')}`);
  }
  if (listOf(extenders, 'extenders').length > 0) {
    throw new TypeError('extenders: placement calls no other program; remove them');
  }
  const [unknown] = Object.keys(others).filter((name) => !IGNORED.includes(name));
  if (unknown !== undefined) throw new TypeError(`unknown field "${unknown}"`);
  const bySchedulerName: Record<string, PluginArguments> = {};
  for (const [at, value] of listOf(profiles, 'profiles').entries()) {
    const [name, own] = profileAt(`profiles[${at}]`, value);
    if (Object.hasOwn(bySchedulerName, name)) {
      throw new TypeError(`profiles[${at}].schedulerName: Duplicate value: "${name}"`);
    }
    bySchedulerName[name] = own;
  }
  return parseProfile({ bySchedulerName });
}

function profileAt(path: string, given: unknown): readonly [name: string, own: PluginArguments] {
  const profile = objectOf(given, path);
  const {
    schedulerName = DEFAULT_SCHEDULER,
    pluginConfig,
    plugins,
    percentageOfNodesToScore,
    ...others
  } = profile;
  if (typeof schedulerName !== 'string' || schedulerName === '') {
    throw new TypeError(`${path}.schedulerName: ${JSON.stringify(schedulerName)}: must be a name`);
  }
  if (plugins !== undefined) {
    throw new TypeError(`${path}.plugins: placement always uses the default plugins; remove the field`);
  }
  refuseOthers(path, others);
  let own: PluginArguments = {};
  for (const [at, value] of listOf(pluginConfig, `${path}.pluginConfig`).entries()) {
    own = { ...own, ...argumentsAt(`${path}.pluginConfig[${at}]`, value) };
  }
  return [schedulerName, own];
}

/** The arguments of one plugin. `args` may name its own kind, as kube-scheduler writes it. */
function argumentsAt(path: string, given: unknown): PluginArguments {
  const { name, args, ...others } = objectOf(given, path);
  refuseOthers(path, others);
  const { apiVersion: _apiVersion, kind: _kind, ...values } = objectOf(args ?? {}, `${path}.args`);
  switch (name) {
    case 'NodeAffinity': {
      const { addedAffinity, ...rest } = values;
      refuseOthers(`${path}.args`, rest);
      return addedAffinity === undefined ? {} : ({ addedAffinity } as PluginArguments);
    }
    case 'InterPodAffinity': {
      const { hardPodAffinityWeight, ignorePreferredTermsOfExistingPods = false, ...rest } = values;
      refuseOthers(`${path}.args`, rest);
      if (ignorePreferredTermsOfExistingPods !== false) {
        throw new TypeError(
          `${path}.args.ignorePreferredTermsOfExistingPods: placement always counts these terms; remove the field`,
        );
      }
      return hardPodAffinityWeight === undefined ? {} : ({ hardPodAffinityWeight } as PluginArguments);
    }
    default:
      throw new TypeError(
        `${path}.name: ${JSON.stringify(name)}: placement takes arguments of NodeAffinity and InterPodAffinity only`,
      );
  }
}

function refuseOthers(path: string, others: Fields): void {
  const [field] = Object.keys(others);
  if (field !== undefined) throw new TypeError(`unknown field "${path}.${field}"`);
}

function listOf(given: unknown, name: string): readonly unknown[] {
  if (given === undefined || given === null) return [];
  if (Array.isArray(given)) return given;
  throw new TypeError(`${name}: must be a list`);
}
