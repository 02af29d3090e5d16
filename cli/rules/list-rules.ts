import { type JsonObject, type JsonValue, metadataOf, objectAt, objectsIn } from '../../lib/json/index.ts';
import { humanDuration } from '../../lib/kubernetes/resource-types/index.ts';
import { aligned } from '../aligned.ts';
import { Connection, Fault, openAccess } from '../connection/index.ts';
import type { RulesOptions } from './options.ts';
import { readAll } from './read-all.ts';

const ROOT = '/apis/admissionregistration.k8s.io/v1';
const HEADERS = ['RULE', 'BINDING', 'ACTION', 'MATCHES', 'SINCE'];

/** A rule that decides about writes. */
export interface Rule {
  /** `policy/require-team`, `mutating policy/default-team`, `webhook/guard.example.com` */
  readonly rule: string;
  /** The binding of a policy, or the configuration of a webhook; `''` for a policy without a binding. */
  readonly binding: string;
  /** `Deny`, `Warn,Audit`, `change`, `call, or refuse`; `none: no binding` for a policy that does not count. */
  readonly action: string;
  /** `CREATE,UPDATE pods, deployments.apps` */
  readonly matches: string;
  /** The time since which it counts, in RFC 3339. */
  readonly since: string;
}

/** Prints the rules that decide about writes. */
export async function listRules(options: RulesOptions): Promise<void> {
  const given = ['file', 'selector', 'namespace', 'as'] as const;
  const unused = given.find((name) => options[name] !== undefined);
  if (unused !== undefined) {
    throw new Fault({ what: `--${unused} needs --try`, advice: 'Add --try, or leave the option out' });
  }
  const connection = new Connection(openAccess(options), new AbortController().signal);
  const read = (plural: string) => readAll(connection, `${ROOT}/${plural}`);
  const [mutating, validating] = await Promise.all(
    ['mutating', 'validating'].map((kind) =>
      Promise.all([
        read(`${kind}admissionpolicies`),
        read(`${kind}admissionpolicybindings`),
        read(`${kind}webhookconfigurations`),
      ]),
    ),
  );
  const rules = [...rulesOf(mutating ?? [], 'mutating '), ...rulesOf(validating ?? [], '')];
  if (options.output === 'json') {
    process.stdout.write(`${JSON.stringify(rules, undefined, 2)}\n`);
  } else if (rules.length === 0) {
    process.stderr.write('No admission policy and no webhook decides about writes.\n');
  } else {
    const rows = rules.map(({ rule, binding, action, matches, since }) => [
      rule,
      binding || '-',
      action,
      matches,
      humanDuration(Date.now() - Date.parse(since)),
    ]);
    process.stdout.write(`${aligned([HEADERS, ...rows]).join('\n')}\n`);
  }
}

/** Policies, their bindings and webhooks, in the order in which they are asked. */
function rulesOf(
  [policies = [], bindings = [], webhooks = []]: readonly JsonObject[][],
  prefix: string,
): Rule[] {
  return [
    ...policyRules(policies, bindings, `${prefix}policy`),
    ...webhookRules(webhooks, `${prefix}webhook`),
  ];
}

/** The policies with their bindings, as rules. A binding without its policy does not count and is left out. */
function policyRules(policies: readonly JsonObject[], bindings: readonly JsonObject[], kind: string): Rule[] {
  return policies.flatMap((policy) => {
    const rule = `${kind}/${nameOf(policy)}`;
    const matches = matchesOf(objectAt(objectAt(policy.spec).matchConstraints).resourceRules);
    const own = bindings.filter((binding) => objectAt(binding.spec).policyName === nameOf(policy));
    if (own.length === 0) {
      return [{ rule, binding: '', action: 'none: no binding', matches, since: createdAt(policy) }];
    }
    return own.map((binding) => ({
      rule,
      binding: nameOf(binding),
      action: textsIn(objectAt(binding.spec).validationActions).join(',') || 'change',
      matches,
      since: [createdAt(policy), createdAt(binding)].toSorted().at(-1) ?? '',
    }));
  });
}

/** The webhooks of configurations, as rules. */
function webhookRules(configurations: readonly JsonObject[], kind: string): Rule[] {
  return configurations.flatMap((configuration) =>
    objectsIn(configuration.webhooks).map((webhook) => ({
      rule: `${kind}/${webhook.name}`,
      binding: nameOf(configuration),
      action: webhook.failurePolicy === 'Ignore' ? 'call, or pass' : 'call, or refuse',
      matches: matchesOf(webhook.rules),
      since: createdAt(configuration),
    })),
  );
}

/** The operations and resources of rules: `CREATE,UPDATE pods, deployments.apps; DELETE *`. */
function matchesOf(rules: JsonValue | undefined): string {
  const texts = objectsIn(rules).map(({ operations, apiGroups, resources }) => {
    const types = textsIn(apiGroups).flatMap((group) =>
      textsIn(resources).map((resource) => (group === '' ? resource : `${resource}.${group}`)),
    );
    return `${textsIn(operations).join(',')} ${types.join(', ')}`;
  });
  return texts.length === 0 ? 'everything' : texts.join('; ');
}

const nameOf = (object: JsonObject) => String(metadataOf(object).name ?? '');
const createdAt = (object: JsonObject) => String(metadataOf(object).creationTimestamp ?? '');
const textsIn = (value: JsonValue | undefined) => (Array.isArray(value) ? value.map(String) : []);
