/** The audit level. `RequestResponse` is not supported, because response bodies are not logged. */
export type Level = 'None' | 'Metadata' | 'Request';

const LEVELS: readonly string[] = ['None', 'Metadata', 'Request'] satisfies Level[];
const STAGES: readonly string[] = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];
const LISTS = ['users', 'userGroups', 'verbs', 'namespaces', 'nonResourceURLs', 'omitStages'] as const;
/** The fields that each part of a policy may have. */
const FIELDS = {
  policy: new Set(['apiVersion', 'kind', 'metadata', 'rules', 'omitStages', 'omitManagedFields']),
  rule: new Set([...LISTS, 'level', 'resources', 'omitManagedFields']),
  group: new Set(['group', 'resources', 'resourceNames']),
} as const satisfies Record<string, ReadonlySet<string>>;

/** Resources of one group. An empty `resources` means all of them. */
export interface GroupResources {
  readonly group: string;
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

/** A rule of a policy. In each of its lists, no entries means that all match. */
export type Rule = Readonly<Record<(typeof LISTS)[number], readonly string[]>> & {
  readonly level: Level;
  readonly resources: readonly GroupResources[];
  /** Undefined if the policy's value applies. */
  readonly omitManagedFields: boolean | undefined;
};

/** An audit policy. The first rule that matches decides; if none matches, nothing is logged. */
export interface Policy {
  readonly rules: readonly Rule[];
  /** The stages that are omitted for every rule. */
  readonly omitStages: readonly string[];
  readonly omitManagedFields: boolean;
}

/** Matches the name of a group. It is a DNS subdomain (RFC 1123), so it has no wildcard and no version. */
const GROUP = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/**
 * Parses an audit policy, `audit.k8s.io/v1` `Policy`, from the content of its file.
 *
 * @throws {Error} the policy is invalid. The message, for people, lists every wrong field, in Kubernetes' words if it
 * has some.
 * @see https://kubernetes.io/docs/reference/config-api/apiserver-audit.v1/
 */
export function parsePolicy(value: unknown): Policy {
  const errors: string[] = [];
  const policy = asObject(value, '', errors);
  refuseUnknown(policy, FIELDS.policy, '', errors);
  if (policy.apiVersion !== 'audit.k8s.io/v1') errors.push('apiVersion: must be audit.k8s.io/v1');
  if (policy.kind !== 'Policy') errors.push('kind: must be Policy');
  const given = listOf(policy.rules, 'rules', errors);
  if (given.length === 0) errors.push('rules: loaded illegal policy with 0 rules');
  const rules = given.map((rule: unknown, at) => parseRule(rule, `rules[${at}]`, errors));
  const omitStages = textsOf(policy.omitStages, 'omitStages', errors);
  checkStages(omitStages, 'omitStages', errors);
  const omitManagedFields = flagOf(policy.omitManagedFields, 'omitManagedFields', errors) ?? false;
  if (errors.length > 0) throw new Error(`the audit policy is not valid: ${errors.join('; ')}`);
  return { rules, omitStages, omitManagedFields };
}

function parseRule(value: unknown, path: string, errors: string[]): Rule {
  const rule = asObject(value, path, errors);
  refuseUnknown(rule, FIELDS.rule, path, errors);
  const { level } = rule;
  if (level === 'RequestResponse') {
    errors.push(
      `${path}.level: RequestResponse is not supported, because response bodies are not logged; use Request`,
    );
  } else if (level === undefined || level === null || level === '') {
    errors.push(`${path}.level: Required value: one of ${LEVELS.join(', ')}`);
  } else if (!isLevel(level)) {
    errors.push(
      `${path}.level: Unsupported value: ${JSON.stringify(level)}: supported values: ${LEVELS.join(', ')}`,
    );
  }
  const lists = Object.fromEntries(
    LISTS.map((name) => [name, textsOf(rule[name], `${path}.${name}`, errors)]),
  ) as Record<(typeof LISTS)[number], string[]>;
  const resources = listOf(rule.resources, `${path}.resources`, errors).map((one, at) =>
    parseResources(one, `${path}.resources[${at}]`, errors),
  );
  if (lists.nonResourceURLs.length > 0 && resources.length + lists.namespaces.length > 0) {
    errors.push(
      `${path}.nonResourceURLs: rules cannot apply to both regular resources and non-resource URLs`,
    );
  }
  for (const url of lists.nonResourceURLs) checkUrl(url, `${path}.nonResourceURLs`, errors);
  checkStages(lists.omitStages, `${path}.omitStages`, errors);
  const omitManagedFields = flagOf(rule.omitManagedFields, `${path}.omitManagedFields`, errors);
  return { ...lists, level: isLevel(level) ? level : 'None', resources, omitManagedFields };
}

function parseResources(value: unknown, path: string, errors: string[]): GroupResources {
  const given = asObject(value, path, errors);
  refuseUnknown(given, FIELDS.group, path, errors);
  const { group = '', resources, resourceNames } = given;
  if (typeof group !== 'string' || (group !== '' && !GROUP.test(group))) {
    errors.push(
      `${path}.group: ${JSON.stringify(group)} must be the name of one group, without a version or a wildcard; "" is that of pods`,
    );
  }
  const names = textsOf(resourceNames, `${path}.resourceNames`, errors);
  const types = textsOf(resources, `${path}.resources`, errors);
  if (names.length > 0 && types.length === 0) {
    errors.push(`${path}.resourceNames: using resourceNames requires at least one resource`);
  }
  return { group: String(group), resources: types, resourceNames: names };
}

function checkUrl(url: string, path: string, errors: string[]): void {
  if (url === '*') return;
  if (!url.startsWith('/')) {
    errors.push(`${path}: ${url}: non-resource URL rules must begin with a '/' character`);
  }
  if (url.slice(0, -1).includes('*')) {
    errors.push(`${path}: ${url}: non-resource URL wildcards '*' must be the final character of the rule`);
  }
}

function checkStages(stages: readonly string[], path: string, errors: string[]): void {
  for (const stage of stages) {
    if (!STAGES.includes(stage)) errors.push(`${path}: ${stage}: allowed stages are ${STAGES.join(',')}`);
  }
}

/**
 * Refuses unknown fields. Such a field may be meant to narrow a rule; without it, the rule differs from its author's
 * intent.
 */
function refuseUnknown(given: object, known: ReadonlySet<string>, path: string, errors: string[]): void {
  for (const name of Object.keys(given)) {
    if (!known.has(name)) errors.push(`${path === '' ? '' : `${path}: `}unknown field "${name}"`);
  }
}

function listOf(value: unknown, path: string, errors: string[]): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  errors.push(`${path}: must be a list`);
  return [];
}

function textsOf(value: unknown, path: string, errors: string[]): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  errors.push(`${path}: must be a list of strings`);
  return [];
}

function flagOf(value: unknown, path: string, errors: string[]): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  errors.push(`${path}: must be true or false`);
  return undefined;
}

function asObject(value: unknown, path: string, errors: string[]): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  errors.push(`${path === '' ? 'the policy' : path}: must be an object`);
  return {};
}

function isLevel(value: unknown): value is Level {
  return typeof value === 'string' && LEVELS.includes(value);
}
