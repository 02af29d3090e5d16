/** `matches` on label sets as they come, a `map` or an `object`, as a peer of the `selectors` bench. */
import { type Labels, parseSelector } from '../../../lib/selectors/index.ts';
import { type Pair, servePairs } from './serve-pairs.ts';

const form = process.argv[2];

await servePairs<never>((text, _expressions, labels) => create(text, labels) as Pair<never>);

function create(text: string, labels: Labels): Pair<Labels> | Pair<ReadonlyMap<string, string>> {
  const selector = parseSelector(text);
  switch (form) {
    case 'map':
      return { selector, labels: new Map(Object.entries(labels)) };
    case 'object':
      return { selector, labels };
    default:
      throw new Error(`unknown form ${form}`);
  }
}
