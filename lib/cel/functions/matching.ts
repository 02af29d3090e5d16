import { ArrayList, CelError, type Value } from '../values/index.ts';
import { type Implementations, type Runtime, typed } from './implementation.ts';

/** `find` and `findAll`, by overload id. */
export const MATCHING: Implementations = {
  string_find_string: typed((runtime, text: string, pattern: string) => {
    const found = find(runtime, text, pattern, 1n);
    return found instanceof CelError ? found : (found[0] ?? '');
  }),
  string_find_all_string: typed((runtime, text: string, pattern: string) =>
    listOf(find(runtime, text, pattern, -1n)),
  ),
  string_find_all_string_int: typed((runtime, text: string, pattern: string, limit: bigint) =>
    listOf(find(runtime, text, pattern, limit)),
  ),
};

/** The steps for one match. Each may look through the rest of the text. */
const MATCH = 200;

function find(
  { meter, regexes }: Runtime,
  text: string,
  pattern: string,
  limit: bigint,
): readonly string[] | CelError {
  const regex = regexes(pattern);
  if ('error' in regex) return new CelError(`Illegal regex: ${regex.error}`);
  meter.match(regex.size, text.length);
  const most = limit < 0n ? -1 : Number(limit);
  return most === 0 ? [] : regex.find(text, most, () => meter.work(MATCH));
}

function listOf(found: readonly string[] | CelError): Value {
  return found instanceof CelError ? found : new ArrayList([...found]);
}
