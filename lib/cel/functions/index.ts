/** The functions of Kubernetes' CEL environment. */
import { ADDRESSES } from './addresses.ts';
import { COLLECTIONS } from './collections.ts';
import { CONVERSIONS } from './conversions.ts';
import type { Implementations } from './implementation.ts';
import { MATCHING } from './matching.ts';
import { NAMED_FORMATS } from './named-formats.ts';
import { QUANTITIES } from './quantities.ts';
import { TEXTS } from './texts.ts';
import { TIMES } from './times.ts';
import { URLS } from './urls.ts';
import { VERSIONS } from './versions.ts';

export type { Implementation, Regex, Regexes, Runtime } from './implementation.ts';
export { NamedFormat } from './named-formats.ts';
export { OPERATORS as SINGLETONS } from './operators.ts';

/** The implementations by overload id, of functions whose overloads differ. */
export const IMPLEMENTATIONS: Implementations = {
  ...ADDRESSES,
  ...COLLECTIONS,
  ...CONVERSIONS,
  ...MATCHING,
  ...NAMED_FORMATS,
  ...QUANTITIES,
  ...TEXTS,
  ...TIMES,
  ...URLS,
  ...VERSIONS,
};
