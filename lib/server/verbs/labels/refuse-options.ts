import { badRequest } from '../../status/index.ts';

/**
 * Refuses LIST options that do not fit an answer without pages.
 * @throws ApiError 400
 */
export function refuseOptions(
  query: URLSearchParams,
  parameter: 'facets' | 'sortBy',
  options: readonly string[],
): void {
  const found = options.find((option) => !['', '0'].includes(query.get(option) ?? ''));
  if (found === undefined) return;
  throw badRequest(
    `${found} is not allowed with ${parameter}: the response has no pages, and shows the latest state or that at the time of at`,
  );
}
