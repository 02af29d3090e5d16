import { ask, type KindInfo, pathOf } from '../api/index.ts';
import { route } from '../route/index.ts';
import { type Choice, type Completion, judge, withoutKey } from '../selector/index.ts';

/** The collection whose labels complete a selector. */
interface Asking {
  readonly kind: KindInfo;
  readonly namespace: string;
  readonly completion: Completion;
  /** The whole selector. */
  readonly text: string;
}

export interface FacetAnswer {
  readonly facets: readonly {
    readonly key: string;
    readonly absent: number;
    readonly values: readonly { readonly value: string; readonly count: number }[];
  }[];
  readonly count: number;
}

const OPERATORS = ['=', '!=', ' in (', ' notin ('] as const;
/** The most choices of one completion. */
const MOST = 12;
/** The time for which counts are used again, in ms. */
const FRESH = 15_000;

const known = new Map<string, { readonly at: number; readonly answer: Promise<FacetAnswer | undefined> }>();

/** Returns the words that may stand at the cursor: keys and values with the number of objects that have them. */
export async function choicesFor({ kind, namespace, completion, text }: Asking): Promise<readonly Choice[]> {
  const { place, key, prefix } = completion;
  if (place === 'operator') {
    const typed = prefix.toLowerCase();
    return OPERATORS.filter((one) => one.trim().startsWith(typed)).map((one) => ({ text: one.trimStart() }));
  }
  if (place === 'key') {
    const answer = await facets(kind, namespace, '*');
    // Behind a whole key an operator goes on.
    const isKey = answer?.facets.some((facet) => facet.key === prefix) === true;
    if (isKey) return OPERATORS.map((one) => ({ text: `${prefix}${one}` }));
    return (answer?.facets ?? [])
      .map((facet) => ({ text: facet.key, count: (answer?.count ?? 0) - facet.absent }))
      .filter((one) => matches(one.text, prefix))
      .slice(0, MOST);
  }
  // The other conditions narrow the values; the condition that is being written does not.
  const others = isWhole(text) ? withoutKey(text, key) : completion.others;
  const answer = await facets(kind, namespace, key, isWhole(others) ? others : '');
  const values = answer?.facets[0]?.values ?? [];
  return values
    .map(({ value, count }) => ({ text: value, count }))
    .filter((one) => one.text !== '' && matches(one.text, prefix))
    .slice(0, MOST);
}

/** Whether a word has the typed text at its beginning, or behind the prefix of a key. A finished word needs no choice. */
function matches(word: string, typed: string): boolean {
  const [text, wanted] = [word.toLowerCase(), typed.toLowerCase()];
  return (
    text !== wanted && (text.startsWith(wanted) || text.includes(`/${wanted}`) || text.includes(`-${wanted}`))
  );
}

/** Without counts, for example because the collection is too large, nothing is completed. */
export function facets(
  kind: KindInfo,
  namespace: string,
  keys: string,
  selector = '',
  fields = '',
): Promise<FacetAnswer | undefined> {
  const path = pathOf(kind, namespace);
  const { as, groups } = route.value;
  const name = JSON.stringify([path, keys, selector, fields, as, groups]);
  const old = known.get(name);
  if (old !== undefined && Date.now() - old.at < FRESH) return old.answer;
  const query = { facets: keys, labelSelector: selector, fieldSelector: fields };
  const answer = ask<FacetAnswer>(path, { query }).catch(() => undefined);
  known.set(name, { at: Date.now(), answer });
  if (known.size > 200) known.delete(known.keys().next().value ?? '');
  return answer;
}

function isWhole(selector: string): boolean {
  return 'selector' in judge(selector);
}
