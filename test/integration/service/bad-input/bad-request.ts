/** A request that must be refused, and the expected refusal. */
export interface BadRequest {
  readonly title: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly code: number;
  readonly reason: string;
  /** Texts that the message must contain. */
  readonly says: readonly string[];
  /** `reason field` of every cause in `details.causes`. */
  readonly causes?: readonly string[];
}

export const PODS = '/api/v1/namespaces/default/pods';
export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
export const SERVICES = '/api/v1/namespaces/default/services';
export const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
export const SUBSCRIPTIONS = '/apis/winnow.dev/v1/namespaces/default/subscriptions';
export const NAMESPACES = '/api/v1/namespaces';

/** Existing objects that the requests may address. None of the requests changes them. */
export const STANDING = { pod: `${PODS}/standing`, subscription: `${SUBSCRIPTIONS}/standing` } as const;

export const MERGE = 'application/merge-patch+json';

export const badRequest = { code: 400, reason: 'BadRequest' } as const;
export const invalid = { code: 422, reason: 'Invalid' } as const;
export const notFound = { code: 404, reason: 'NotFound' } as const;
export const unsupported = { code: 415, reason: 'UnsupportedMediaType' } as const;
export const notAllowed = { code: 405, reason: 'MethodNotAllowed' } as const;
export const tooLarge = { code: 413, reason: 'RequestEntityTooLarge' } as const;
