/** The functions of the language. Those of Kubernetes' libraries are in lib/cel/libraries.ts. */
import { COLLECTIONS } from './collections.ts';
import { CONVERSIONS } from './conversions.ts';
import type { Implementations } from './implementation.ts';
import { MATCHING } from './matching.ts';
import { TEXTS } from './texts.ts';
import { TIMES } from './times.ts';

export type { Implementation, Implementations, Regex, Regexes, Runtime } from './implementation.ts';
export { OPERATORS as SINGLETONS } from './operators.ts';

/** The implementations by overload id, of functions whose overloads differ. */
export const IMPLEMENTATIONS: Implementations = {
  ...COLLECTIONS,
  ...CONVERSIONS,
  ...MATCHING,
  ...TEXTS,
  ...TIMES,
};
