import { type ApiRequest, connect, type Winnow, WinnowError } from '../../lib/client/objects/index.ts';
import { route } from '../route/index.ts';
import { sessionFetch } from '../session/index.ts';
import type { KindInfo } from './shapes.ts';

/** The name under which Winnow records the writes of the page. */
export const MANAGER = 'winnow-console';

/** The forms of an answer that are less than whole objects. */
export const METADATA = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
export const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** The connection for single requests. Reads are made as the user of "see as", if there is one. */
export const winnow: Winnow = connect({
  url: location.origin,
  manager: MANAGER,
  fetch: (input, init) => sessionFetch(input, asOther(init)),
});

/** Adds the user of "see as" to a read. The console's process refuses it for a write. */
export function asOther(init: RequestInit = {}): RequestInit {
  const { as, groups } = route.value;
  if (as === '' || (init.method ?? 'GET') !== 'GET') return init;
  const headers = new Headers(init.headers);
  headers.set('impersonate-user', as);
  for (const group of groups) headers.append('impersonate-group', group);
  return { ...init, headers };
}

/** Sends a request, and returns the JSON of the answer or its text. Writes name the console as their manager. */
export function ask<Answer>(path: string, options: Partial<Omit<ApiRequest, 'path'>> = {}): Promise<Answer> {
  const { method = 'GET', query } = options;
  const writes = method !== 'GET' && method !== 'DELETE' && options.isRead !== true;
  return winnow.request<Answer>(
    path,
    writes ? { ...options, query: { fieldManager: MANAGER, ...query } } : options,
  );
}

/** An answer, or the reason why there is none. */
export type Asked<Answer> = { readonly answer: Answer } | { readonly error: Error };

/** Sends a request as {@link ask}, and returns its error instead of throwing it. */
export async function asking<Answer>(...question: Parameters<typeof ask>): Promise<Asked<Answer>> {
  try {
    return { answer: await ask<Answer>(...question) };
  } catch (error) {
    return { error: error as Error };
  }
}

/** The path of a kind's collection. */
export function pathOf({ group, version, plural, namespaced }: KindInfo, namespace = ''): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const inside = namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${inside}/${plural}`;
}

/** The path of one object. */
export function objectPath(
  kind: KindInfo,
  { namespace = '', name }: { namespace?: string; name: string },
): string {
  return `${pathOf(kind, namespace)}/${encodeURIComponent(name)}`;
}

/** The server's own sentence about a failure, without the request before it. */
export function sentence(error: Error): string {
  return (error instanceof WinnowError ? error.status?.message : undefined) ?? error.message;
}

/** A failure in the parts that a panel shows. */
export interface Explained {
  readonly message: string;
  /** Such as `403 Forbidden`. Empty without an answer. */
  readonly code: string;
  readonly auditId: string;
}

export function explained(error: Error): Explained {
  if (!(error instanceof WinnowError)) return { message: error.message, code: '', auditId: '' };
  const code = error.code === 0 ? '' : `${error.code} ${error.reason}`.trim();
  return { message: sentence(error), code, auditId: error.auditId };
}
