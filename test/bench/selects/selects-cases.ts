import type { Labels } from '../../../lib/selectors/index.ts';

/** Whom it is asked of. */
export const ASKED: Labels = { app: 'a0', env: 'prod', tier: 'front', team: 'a', canary: 'yes' };

/** Selectors of one kind, as many as there are to be, one of each carrier. */
export interface SelectsCase {
  readonly name: string;
  /** By the number of the carrier. */
  selector(index: number): string;
  /** How many select who is asked. */
  readonly matches: number;
  /** Whether each selector has a pair that no other one has. */
  readonly pairsDiffer: boolean;
}

const FORMS: readonly ((app: string) => string)[] = [
  (app) => `app=${app}`,
  (app) => `app in (${app},other-${app}),tier`,
  (app) => `app=${app},env=prod`,
  (app) => `app=${app},env!=test`,
];

export const SELECTS_CASES: readonly SelectsCase[] = [
  {
    name: 'each by its own pair',
    selector: (index) => (FORMS[index % FORMS.length] ?? String)(`a${index}`),
    matches: 1,
    pairsDiffer: true,
  },
  {
    // Whoever took the first pair would read all of them.
    name: 'all by one pair, and by one of their own',
    selector: (index) => `env=prod,team=a,app=a${index}`,
    matches: 1,
    pairsDiffer: true,
  },
  {
    // There is no better row to be found by: each is read, and misses.
    name: 'all by one pair alone, and none matches',
    selector: (index) => `env=prod,canary!=yes,app!=a${index}`,
    matches: 0,
    pairsDiffer: false,
  },
];
