/** The functions of the language. Those of Kubernetes' libraries are in lib/cel/libraries. */
import { COLLECTIONS } from './collections.ts';
import { CONVERSIONS } from './conversions.ts';
import type { Implementations } from './implementation.ts';
import { TEXTS } from './texts.ts';
import { TIMES } from './times.ts';

export {
  type Implementation,
  type Implementations,
  type Regex,
  type Regexes,
  type Runtime,
  typed,
} from './implementation.ts';
export { OPERATORS as SINGLETONS } from './operators.ts';
export { CONVERSIONS };

/** The implementations by overload id, of functions whose overloads differ. */
export const IMPLEMENTATIONS: Implementations = {
  ...COLLECTIONS,
  ...CONVERSIONS,
  ...TEXTS,
  ...TIMES,
};
