/** The label selector in an object: `spec.selector` of a Subscription or a Deployment. */
interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** The spec of a Subscription, as far as this client reads it. */
export interface SubscriptionSpec {
  readonly resource: { readonly group?: string; readonly resource: string };
  readonly namespaces?: 'Own' | 'All';
  /** Selects namespaces by label; replaces `namespaces`. */
  readonly namespaceSelector?: LabelSelector | null;
  readonly labelSelector?: string;
  readonly selector?: LabelSelector;
  readonly fieldSelector?: string;
  readonly payload?: 'Object' | 'Metadata' | 'Reference';
}

/** The selection of a Subscription in the form that a LIST and a watch accept. */
export interface Selection {
  /** The path of the collection: `/api/v1/namespaces/default/pods`. */
  readonly collection: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** The namespaces to which the result is limited; undefined means all. */
  readonly namespaces: ReadonlySet<string> | undefined;
}

interface Names {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

/** Fetches the JSON at a path of the API. */
type Ask = (path: string) => Promise<unknown>;

/** Returns the selection of a Subscription in `namespace`. The preferred version of the group comes from the API. */
export async function readSelection(spec: SubscriptionSpec, namespace: string, ask: Ask): Promise<Selection> {
  const { group = '', resource } = spec.resource;
  const namespaceSelector = spec.namespaceSelector ?? undefined;
  const isInAll = namespaceSelector !== undefined || spec.namespaces === 'All';
  const where = isInAll ? '' : `namespaces/${namespace}/`;
  const root = group === '' ? '/api/v1' : await preferred(group, ask);
  return {
    collection: `${root}/${where}${resource}`,
    labelSelector: spec.labelSelector ?? selectorText(spec.selector ?? {}),
    fieldSelector: spec.fieldSelector ?? '',
    namespaces: namespaceSelector && (await namesOf(namespaceSelector, ask)),
  };
}

/** The names of the namespaces whose labels match now. */
async function namesOf(selector: LabelSelector, ask: Ask): Promise<ReadonlySet<string>> {
  const query = new URLSearchParams({ labelSelector: selectorText(selector) });
  const { items } = (await ask(`/api/v1/namespaces?${query}`)) as Names;
  return new Set(items.map(({ metadata }) => metadata.name));
}

async function preferred(group: string, ask: Ask): Promise<string> {
  const { preferredVersion } = (await ask(`/apis/${group}`)) as {
    preferredVersion: { groupVersion: string };
  };
  return `/apis/${preferredVersion.groupVersion}`;
}

/**
 * Returns a label selector as the text that a LIST accepts.
 *
 * @throws {Error} an operator that Kubernetes does not have
 */
function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    switch (operator) {
      case 'In':
        return `${key} in (${values.join(',')})`;
      case 'NotIn':
        return `${key} notin (${values.join(',')})`;
      case 'Exists':
        return key;
      case 'DoesNotExist':
        return `!${key}`;
      default:
        throw new Error(`a label selector has no operator ${operator}`);
    }
  });
  return [...labels, ...expressions].join(',');
}
