import type { Stored } from '../../lib/client/objects/index.ts';
import { fromLabelSelector, fromLabels, parseSelector, type Selector } from '../../lib/selectors/index.ts';

/** An object of any kind. */
export type KubeObject = Stored<Readonly<Record<string, unknown>>>;

/** What an object selects. */
export interface OwnSelection {
  /** The field of the selector, such as `spec.selector`. */
  readonly path: string;
  /** The id of the kind of the selected objects. */
  readonly target: string;
  /** The namespace of the selected objects; empty for all namespaces. */
  readonly namespace: string;
  /** The label selector as text. Undefined if it selects nothing. */
  readonly selector: string | undefined;
  readonly fields: string;
}

type Form = 'map' | 'labelSelector';

/** The fields in which kinds hold the selector of their own pods. An absent or empty one selects nothing, except as noted. */
const POD_SELECTORS: Readonly<Record<string, { readonly path: string; readonly form: Form }>> = {
  services: { path: 'spec.selector', form: 'map' },
  replicationcontrollers: { path: 'spec.selector', form: 'map' },
  'replicasets.apps': { path: 'spec.selector', form: 'labelSelector' },
  'deployments.apps': { path: 'spec.selector', form: 'labelSelector' },
  'statefulsets.apps': { path: 'spec.selector', form: 'labelSelector' },
  'daemonsets.apps': { path: 'spec.selector', form: 'labelSelector' },
  'jobs.batch': { path: 'spec.selector', form: 'labelSelector' },
  'poddisruptionbudgets.policy': { path: 'spec.selector', form: 'labelSelector' },
  'networkpolicies.networking.k8s.io': { path: 'spec.podSelector', form: 'labelSelector' },
};
/** Kinds whose empty selector selects all pods of the namespace. */
const EMPTY_SELECTS_ALL = ['jobs.batch', 'poddisruptionbudgets.policy', 'networkpolicies.networking.k8s.io'];
/** Kinds whose absent selector selects all pods of the namespace. */
const ABSENT_SELECTS_ALL = ['networkpolicies.networking.k8s.io'];
const SETS = ['subscriptions.winnow.dev', 'tallies.winnow.dev'];

/** Kinds whose objects select nodes, or pods for their pods. */
const OTHERS = ['cronjobs.batch', 'podtemplates', 'persistentvolumes', 'runtimeclasses.node.k8s.io'];
/** The groups of built-in kinds. A kind of another group can select by an annotation of its definition. */
const BUILTIN = /^(?:|apps|batch|policy|autoscaling|.+\.k8s\.io|winnow\.dev)$/;

/** Whether an object can have a selector at all, so that it is worth asking what it selects. */
export function maySelect(
  { id, group }: { readonly id: string; readonly group: string },
  object: KubeObject,
): boolean {
  if (POD_SELECTORS[id] !== undefined || SETS.includes(id) || OTHERS.includes(id)) return true;
  const { nodeSelector, affinity } = recordOf(object.spec);
  if (id === 'pods') return nodeSelector !== undefined || affinity !== undefined;
  return (
    !BUILTIN.test(group) &&
    Object.entries(object).some(([key, value]) =>
      key === 'spec' ? LIKE_SELECTOR.test(JSON.stringify(value)) : !COMMON.includes(key),
    )
  );
}

/** The fields that objects of every kind have, and that hold no selector. */
const COMMON: readonly string[] = ['apiVersion', 'kind', 'metadata', 'status'];
/** JSON that may hold a selector: its key says so, or it is a map or a text with an operator. */
const LIKE_SELECTOR = /elector|:\{|[=!(]/i;

/**
 * Returns what an object of a built-in kind selects in the first place, as `…/selected` lists it. Undefined for other
 * kinds, for an alias of a host, and for a selector of namespaces.
 *
 * @throws {SelectorError} the selector is wrong
 */
export function ownSelection(kindId: string, object: KubeObject): OwnSelection | undefined {
  const { namespace = '' } = object.metadata;
  const spec = recordOf(object.spec);
  if (SETS.includes(kindId)) return selectionOfSet(spec, namespace);
  const field = POD_SELECTORS[kindId];
  if (field === undefined || spec.type === 'ExternalName') return undefined;
  const written = spec[field.path.slice('spec.'.length)];
  const base = { path: field.path, target: 'pods', namespace, fields: '' };
  if (written === undefined || written === null) {
    return { ...base, selector: ABSENT_SELECTS_ALL.includes(kindId) ? '' : undefined };
  }
  const selector = field.form === 'map' ? fromLabels(written) : fromLabelSelector(written);
  const isNone = selector.isEmpty && !EMPTY_SELECTS_ALL.includes(kindId);
  return { ...base, selector: isNone ? undefined : textOf(selector) };
}

/** Whether two selections select different objects, or may. */
export function isOther(one: OwnSelection | undefined, other: OwnSelection | undefined): boolean {
  const text = (selection: OwnSelection | undefined) =>
    selection &&
    JSON.stringify([selection.target, selection.namespace, selection.selector, selection.fields]);
  return text(one) !== text(other);
}

function selectionOfSet(
  spec: Readonly<Record<string, unknown>>,
  namespace: string,
): OwnSelection | undefined {
  const { resource, labelSelector = '', selector, fieldSelector = '', namespaces } = spec;
  if (spec.namespaceSelector !== undefined && spec.namespaceSelector !== null) return undefined;
  const { group = '', resource: plural = '' } = recordOf(resource);
  const isText = selector === undefined || selector === null;
  return {
    path: isText && labelSelector !== '' ? 'spec.labelSelector' : 'spec.selector',
    target: group === '' ? String(plural) : `${plural}.${group}`,
    namespace: namespaces === 'All' ? '' : namespace,
    selector: textOf(isText ? parseSelector(String(labelSelector)) : fromLabelSelector(selector)),
    fields: String(fieldSelector),
  };
}

/** The text of a selector; undefined if it selects nothing. */
function textOf(selector: Selector): string | undefined {
  return !selector.isEmpty && selector.requirements.length === 0 ? undefined : String(selector);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : {};
}
