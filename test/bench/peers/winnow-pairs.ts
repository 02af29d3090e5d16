/**
 * `matches`, as a peer of the `selectors` bench. The argument says what it is given: `map` and `object` are label
 * sets as they come; `interned` is both sides in the integers of one vocabulary.
 */
import { type InternedLabels, type Labels, parseSelector, Vocabulary } from '../../../lib/selectors/index.ts';
import { type Pair, servePairs } from './serve-pairs.ts';

const vocabulary = new Vocabulary();
const form = process.argv[2];

await servePairs<never>((text, _expressions, labels) => create(text, labels) as Pair<never>);

function create(
  text: string,
  labels: Labels,
): Pair<Labels> | Pair<ReadonlyMap<string, string>> | Pair<InternedLabels> {
  const selector = parseSelector(text);
  switch (form) {
    case 'map':
      return { selector, labels: new Map(Object.entries(labels)) };
    case 'object':
      return { selector, labels };
    case 'interned':
      return { selector: vocabulary.compile(selector), labels: vocabulary.labelSet(labels) };
    default:
      throw new Error(`unknown form ${form}`);
  }
}
