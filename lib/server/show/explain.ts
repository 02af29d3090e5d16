import { isTrue, type Verb } from '../http/index.ts';
import { badRequest } from '../status/index.ts';

/**
 * The form of a LIST's explanation. `table` and `text` replace the list by its plan, as a Table or as aligned text.
 * `header` keeps the list. All three send the plan in a header.
 */
export type Explain = 'table' | 'text' | 'header';

export const EXPLAIN_HEADER = 'winnow-explain';

/**
 * The query parameter `explain`.
 * @throws ApiError 400 the value is unknown, or the verb has no plan
 */
export function readExplain(query: URLSearchParams, verb: Verb): Explain | undefined {
  const value = query.get('explain');
  if (value === null || !isTrue(value)) return undefined;
  if (verb === 'watch') {
    throw badRequest('explain is not allowed with watch: it shows the plan of a LIST; list without watch');
  }
  if (verb !== 'list') throw badRequest(`explain is not allowed with ${verb}: it shows the plan of a LIST`);
  if (value === 'text' || value === 'header') return value;
  if (value === '' || value === '1' || value.toLowerCase() === 'true') return 'table';
  throw badRequest(
    `invalid explain: ${JSON.stringify(value)}: must be 'true' for a Table of the plan, 'text' for the plan as text, or 'header' for the list with the plan in a header`,
  );
}

/** Loads the forms of a plan, which few lists need. */
export const loadPlanForms = () => import('./plan-forms.ts');
