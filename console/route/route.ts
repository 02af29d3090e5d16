/** The views of the page. The address of `explore` begins with the id of a kind, that of another view with its name. */
export const VIEWS = ['explore', 'subscriptions', 'tallies', 'placement', 'reachability'] as const;
export type View = (typeof VIEWS)[number];

/** Everything that a link reproduces. An empty text means the default. */
export interface Route {
  readonly view: View;
  /** The id of the kind, such as `pods` or `deployments.apps`. */
  readonly kind: string;
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly selector: string;
  /** A field selector, such as `status.phase=Running`. */
  readonly fields: string;
  readonly mode: 'table' | 'pivot';
  /** The label keys of the rows and the columns of the pivot. */
  readonly pivot: readonly string[];
  /** Label keys that the user added to the facets. */
  readonly keys: readonly string[];
  /** Label keys with a column of their own in the table. */
  readonly columns: readonly string[];
  /** The title of the column that sorts the table, or a label key; with `-` before it for descending order. */
  readonly sort: string;
  /** The object in the drawer: see {@link parseOpen}. */
  readonly open: string;
  /** The tab of the drawer. */
  readonly tab: string;
  /** A past moment: RFC 3339, or a duration back from now. */
  readonly at: string;
  /** The user as which the page reads, and the groups of that user. */
  readonly as: string;
  readonly groups: readonly string[];
}

/** The object in the drawer. */
export interface OpenObject {
  readonly kind: string;
  /** Empty for an object without a namespace. */
  readonly namespace: string;
  readonly name: string;
}

export const EXPLORE: Route = {
  view: 'explore',
  kind: '',
  namespace: '',
  selector: '',
  fields: '',
  mode: 'table',
  pivot: [],
  keys: [],
  columns: [],
  sort: '',
  open: '',
  tab: '',
  at: '',
  as: '',
  groups: [],
};

/** Reads a route from the path and the query of an address. Unknown parts count as absent. */
export function parseRoute(path: string, search: string): Route {
  const first = decoded(path.split('/')[1] ?? '');
  const query = new URLSearchParams(search);
  const text = (name: string) => query.get(name) ?? '';
  const list = (name: string) => text(name).split(',').filter(Boolean);
  const isView = VIEWS.some((view) => view === first) && first !== 'explore';
  const namespace = text('ns');
  return {
    view: isView ? (first as View) : 'explore',
    kind: isView ? '' : first,
    namespace: namespace === '*' ? '' : namespace,
    selector: text('q'),
    fields: text('fields'),
    mode: text('mode') === 'pivot' ? 'pivot' : 'table',
    pivot: list('pivot').slice(0, 2),
    keys: list('keys'),
    columns: list('columns'),
    sort: text('sort'),
    open: text('open'),
    tab: text('tab'),
    at: text('at'),
    as: text('as'),
    groups: query.getAll('group'),
  };
}

/** Returns the address of a route. `parseRoute` reads it back. */
export function routeUrl(route: Route): string {
  const query = new URLSearchParams();
  const set = (name: string, value: string) => value !== '' && query.set(name, value);
  if (route.view === 'explore' && route.kind !== '') {
    query.set('ns', route.namespace || '*');
  } else {
    set('ns', route.namespace);
  }
  set('q', route.selector);
  set('fields', route.fields);
  if (route.mode === 'pivot') query.set('mode', 'pivot');
  set('pivot', route.pivot.join(','));
  set('keys', route.keys.join(','));
  set('columns', route.columns.join(','));
  set('sort', route.sort);
  set('open', route.open);
  set('tab', route.tab);
  set('at', route.at);
  set('as', route.as);
  for (const group of route.groups) query.append('group', group);
  const path = route.view === 'explore' ? route.kind : route.view;
  const text = query.toString();
  return `/${encodeURIComponent(path)}${text === '' ? '' : `?${text}`}`;
}

/** Reads the text of the object in the drawer: `kind:namespace/name`, or `kind:name`. Undefined for another text. */
export function parseOpen(text: string): OpenObject | undefined {
  const [, kind = '', namespace = '', name = ''] = /^([^:/]+):(?:([^:/]*)\/)?([^/]+)$/.exec(text) ?? [];
  return name === '' ? undefined : { kind, namespace, name };
}

export function openText({ kind, namespace, name }: OpenObject): string {
  return namespace === '' ? `${kind}:${name}` : `${kind}:${namespace}/${name}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
