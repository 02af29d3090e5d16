/** Kubernetes' own libraries: URLs, addresses, quantities, versions, named formats and `format`. */
import type { Library } from '../declarations.ts';
import { functionsIn } from '../environment/index.ts';
import { opaque } from '../types.ts';
import { ADDRESSES } from './addresses.ts';
import { AUTHORIZATION } from './authorizer.ts';
import { FORMATTED } from './format-text.ts';
import { AUTHORIZER, KUBERNETES, STORED_ONLY } from './functions.ts';
import { QUOTES } from './go-text.ts';
import { NAMED_FORMATS } from './named-formats.ts';
import { QUANTITIES } from './quantities.ts';
import { URLS } from './urls.ts';
import { VERSIONS } from './versions.ts';

/** Kubernetes' own libraries, which a process loads with the first expression that uses one. */
export const LIBRARIES: readonly Library[] = [
  {
    functions: [AUTHORIZER, KUBERNETES].flatMap(functionsIn),
    stored: functionsIn(STORED_ONLY),
    types: [opaque('net.IP'), opaque('net.CIDR')],
    implementations: {
      ...ADDRESSES,
      ...AUTHORIZATION,
      ...FORMATTED,
      ...NAMED_FORMATS,
      ...QUANTITIES,
      ...QUOTES,
      ...URLS,
      ...VERSIONS,
    },
  },
];

export {
  type AccessCheck,
  type AccessDecision,
  type AuthorizedUser,
  type Authorizer,
  authorizerValue,
  type PathCheck,
  type ResourceCheck,
  requestResourceValue,
} from './authorizer.ts';
export { parseUrl, type ReadUrl, UrlError } from './read-url.ts';
