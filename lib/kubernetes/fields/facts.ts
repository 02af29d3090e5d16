import table from './facts.json' with { type: 'json' };
import type { RawFacts } from './field-table.ts';

/** The facts that the generator extracted from Kubernetes' Go types. */
export const facts = table as unknown as RawFacts;
