import type { JsonObject } from '../../../lib/json/index.ts';
import { valueAt } from '../../../lib/json/index.ts';
import { everyField, parseSelector } from '../../../lib/selectors/index.ts';
import type { CarriedSelector, Mutation, ObjectState } from '../../../lib/store/index.ts';
import type { Chance } from '../world/chance.ts';

/** A selector too long for a row: the row refers to the carrier instead. */
const LONG = `app notin (${Array.from({ length: 200 }, (_, at) => `value-${at}`)})`;
const TEXTS = ['app=x', 'app in (x,y)', 'tier=a', 'app=x,tier=a', 'app,tier', 'tier', '!canary', LONG, ''];
const PATHS = ['one', 'two'];

export type Write = 'put' | 'touch' | 'clear' | 'delete';

/** The selectors that an object carries, with their place in its body. */
export function carriedOf(body: JsonObject): readonly CarriedSelector[] {
  const [text, path] = [valueAt(body, 'spec.text'), valueAt(body, 'spec.path')];
  if (typeof text !== 'string') return [];
  const asked = { target: 'core/pods', namespaces: ['default'], fields: everyField } as const;
  return [{ ...asked, path: String(path), selector: parseSelector(text) }];
}

interface Writing {
  readonly name: string;
  readonly uid: string;
  readonly chance: Chance;
  /** Whether the writer passes what its object selects. */
  readonly isKnown: boolean;
}

/** Sets another selector, removes it, changes something else, or deletes the object. */
export function mutationOf(
  what: Write,
  current: ObjectState | undefined,
  { name, uid, chance, isKnown }: Writing,
): Mutation {
  const metadata = { name, namespace: 'default', uid: current?.uid ?? uid };
  switch (what) {
    case 'put': {
      const body = { metadata, spec: { text: chance.pick(TEXTS), path: chance.pick(PATHS) } };
      return { kind: 'put', body, ...(isKnown && { selects: carriedOf(body) }) };
    }
    case 'clear':
      return { kind: 'put', body: { metadata, spec: {} }, ...(isKnown && { selects: [] }) };
    case 'touch':
      if (current === undefined) return { kind: 'none' };
      return { kind: 'put', body: { ...current.body, status: { touched: chance.next() } } };
    case 'delete':
      return current === undefined ? { kind: 'none' } : { kind: 'delete', body: current.body };
    default:
      return what satisfies never;
  }
}
