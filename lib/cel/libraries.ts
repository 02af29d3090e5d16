import type { Library } from './declarations.ts';
import { AUTHORIZER, KUBERNETES, STORED_ONLY } from './environment/library-functions.ts';
import { functionsIn } from './environment/signature.ts';
import { ADDRESSES } from './functions/addresses.ts';
import { FORMATTED } from './functions/format-text.ts';
import { NAMED_FORMATS } from './functions/named-formats.ts';
import { QUANTITIES } from './functions/quantities.ts';
import { URLS } from './functions/urls.ts';
import { VERSIONS } from './functions/versions.ts';
import { opaque } from './types.ts';

/** Kubernetes' own libraries, which a process loads with the first expression that uses one. */
export const LIBRARIES: readonly Library[] = [
  {
    functions: [AUTHORIZER, KUBERNETES].flatMap(functionsIn),
    stored: functionsIn(STORED_ONLY),
    types: [opaque('net.IP'), opaque('net.CIDR')],
    implementations: { ...ADDRESSES, ...FORMATTED, ...NAMED_FORMATS, ...QUANTITIES, ...URLS, ...VERSIONS },
  },
];
