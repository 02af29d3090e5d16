import table from './facts.json' with { type: 'json' };
import type { RawFacts } from './field-table.ts';

/** What the generator read of Kubernetes' Go types. */
export const facts = table as unknown as RawFacts;
