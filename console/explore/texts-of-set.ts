import type { Operator } from '../../lib/selectors/index.ts';
import type { KindInfo } from '../api/index.ts';
import { judge, quoted } from '../selector/index.ts';

/** A set as other programs ask for it. */
export interface AskedSet {
  readonly kind: KindInfo;
  readonly namespace: string;
  readonly selector: string;
  readonly fields: string;
}

/** The command of kubectl that follows the set. */
export function kubectlOf({ kind, namespace, selector, fields }: AskedSet): string {
  const where = !kind.namespaced ? '' : namespace === '' ? ' -A' : ` -n ${quoted(namespace)}`;
  const labels = selector === '' ? '' : ` -l ${quoted(selector)}`;
  const rest = fields === '' ? '' : ` --field-selector ${quoted(fields)}`;
  return `kubectl get ${kind.id}${where}${labels}${rest} --watch`;
}

/** The command of curl that lists the set. */
export function curlOf({ kind, namespace, selector, fields }: AskedSet, server: string): string {
  const { group, version, plural, namespaced } = kind;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const where = namespaced && namespace !== '' ? `/namespaces/${namespace}` : '';
  const query = new URLSearchParams();
  if (selector !== '') query.set('labelSelector', selector);
  if (fields !== '') query.set('fieldSelector', fields);
  const text = query.toString();
  return `curl ${quoted(`${server}${root}${where}/${plural}${text === '' ? '' : `?${text}`}`)}`;
}

/** A program that follows the set. Undefined for a condition on fields that the client does not take. */
export function typescriptOf(
  { kind, namespace, selector, fields }: AskedSet,
  server: string,
): string | undefined {
  // The client takes only conditions of equality.
  if (fields.includes('!=')) return undefined;
  const { apiVersion, plural, namespaced } = kind;
  const scope = namespaced ? '' : ", { scope: 'Cluster' }";
  const where = namespaced && namespace !== '' ? `, { namespace: ${literal(namespace)} }` : '';
  const pairs = fields.split(',').flatMap((term) => {
    const [, field, value] = /^([^=!]+)==?(.*)$/.exec(term) ?? [];
    return field === undefined ? [] : [`${literal(field)}: ${literal(value ?? '')}`];
  });
  const options = pairs.length === 0 ? '' : `, { fields: { ${pairs.join(', ')} } }`;
  return [
    "import { connect, resource } from '@winnow-dev/client/objects';",
    '',
    `const winnow = connect({ url: ${literal(server)} });`,
    `const objects = winnow.objects(resource(${literal(apiVersion)}, ${literal(plural)}${scope})${where});`,
    `const set = objects.live(${literal(selector)}${options});`,
    "set.on('add', (object) => console.log('entered', object.metadata.name));",
    "set.on('update', (object) => console.log('changed', object.metadata.name));",
    "set.on('delete', (object) => console.log('left', object.metadata.name));",
    'await set.ready;',
    '',
  ].join('\n');
}

/** A Subscription that sends the set's changes to a queue. */
export function subscriptionOf({ kind, namespace, selector, fields }: AskedSet): string {
  const { group, plural } = kind;
  return lines(
    'apiVersion: winnow.dev/v1',
    'kind: Subscription',
    'metadata:',
    `  name: my-${plural}`,
    `  namespace: ${namespace || 'default'}`,
    'spec:',
    `  resource: { group: ${JSON.stringify(group)}, resource: ${plural} }`,
    ...(kind.namespaced && namespace !== '' ? [] : ['  namespaces: All']),
    ...(selector === '' ? [] : [`  labelSelector: ${JSON.stringify(selector)}`]),
    ...(fields === '' ? [] : [`  fieldSelector: ${JSON.stringify(fields)}`]),
  );
}

/**
 * An AccessGrant that gives the right to read the set. Undefined if no grant can: for every object, for all
 * namespaces, for conditions on fields, and for `>` and `<`.
 */
export function accessGrantOf({ kind, namespace, selector, fields }: AskedSet): string | undefined {
  const verdict = judge(selector);
  if (!('selector' in verdict) || fields !== '' || !kind.namespaced || namespace === '') return undefined;
  const { requirements } = verdict.selector;
  const expressions = requirements.flatMap(({ key, operator, values }) => {
    const name = EXPRESSIONS[operator];
    if (name === undefined) return [];
    const listed = values.length === 0 ? '' : `, values: ${JSON.stringify(values)}`;
    return [`    - { key: ${JSON.stringify(key)}, operator: ${name}${listed} }`];
  });
  if (expressions.length === 0 || expressions.length < requirements.length) return undefined;
  return lines(
    'apiVersion: winnow.dev/v1',
    'kind: AccessGrant',
    'metadata:',
    `  name: read-my-${kind.plural}`,
    `  namespace: ${namespace || 'default'}`,
    'roleRef: { kind: ClusterRole, name: view }',
    'subjects: [{ kind: User, name: jane }]',
    'labelSelector:',
    '  matchExpressions:',
    ...expressions,
  );
}

/** The operators of a LabelSelector by those of a selector's text. */
const EXPRESSIONS: Readonly<Partial<Record<Operator, string>>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

/** A text of TypeScript. */
function literal(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

function lines(...texts: readonly string[]): string {
  return `${texts.join('\n')}\n`;
}
