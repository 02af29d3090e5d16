import { isJsonObject, type JsonValue, valueAt } from '../../json/index.ts';
import {
  everyField,
  everything,
  type FieldSelector,
  nothing,
  parseSelector,
  readNodeSelector,
  type Selector,
} from '../../selectors/index.ts';
import { isNothing, readSelector } from './read-selector.ts';
import type { Selection } from './selection.ts';

const NODES = 'core/nodes';
const REQUIRED = 'nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution';

/** A selection of nodes by one term. */
interface Term {
  readonly path: string;
  readonly selector: Selector;
  readonly fields: FieldSelector;
}

/**
 * Returns the nodes that a pod with this spec may run on, as one selection per term. A node must match the
 * `nodeSelector` and at least one term of the required node affinity. A spec with neither yields no selections.
 */
export function podNodeSelections(spec: JsonValue | undefined, path: string): readonly Selection[] {
  const labels = valueAt(spec, 'nodeSelector');
  const map = isJsonObject(labels) && Object.keys(labels).length > 0 ? labels : undefined;
  const own = map === undefined ? everything : readSelector(map, 'map');
  const affinity = valueAt(spec, `affinity.${REQUIRED}`);
  if (!isJsonObject(affinity)) {
    return map === undefined ? [] : selectionsOf([term(`${path}.nodeSelector`, own)]);
  }
  const terms = termsOf(affinity, `${path}.affinity.${REQUIRED}`);
  return selectionsOf(terms.map((one) => ({ ...one, selector: conjunction(own, one.selector) })));
}

/** Returns the nodes that a v1.NodeSelector matches, for example a volume's `spec.nodeAffinity.required`. */
export function nodeSelectorSelections(object: JsonValue | undefined, path: string): readonly Selection[] {
  return isJsonObject(object) ? selectionsOf(termsOf(object, path)) : [];
}

/**
 * Returns the nodes that a map of labels matches, for example `scheduling.nodeSelector` of a RuntimeClass. An empty
 * map yields no selections.
 */
export function nodeMapSelections(map: JsonValue | undefined, path: string): readonly Selection[] {
  if (!isJsonObject(map) || Object.keys(map).length === 0) return [];
  return selectionsOf([term(path, readSelector(map, 'map'))]);
}

/** Returns the terms that can match. As in the scheduler, an empty term matches nothing. */
function termsOf(object: JsonValue, path: string): readonly Term[] {
  const listed = valueAt(object, 'nodeSelectorTerms');
  const list = Array.isArray(listed) ? listed : [];
  return list.flatMap((one, index) => {
    const { selector } = readNodeSelector({ nodeSelectorTerms: [one] });
    return selector.terms.map(({ labels, fields }) => ({
      path: `${path}.nodeSelectorTerms[${index}]`,
      selector: labels,
      fields,
    }));
  });
}

/**
 * Returns the conjunction of two selectors: their texts joined by a comma. If one matches nothing, so does the
 * result.
 */
function conjunction(one: Selector, other: Selector): Selector {
  if (isNothing(one) || isNothing(other)) return nothing;
  return parseSelector([`${one}`, `${other}`].filter(Boolean).join(','));
}

const term = (path: string, selector: Selector): Term => ({ path, selector, fields: everyField });

function selectionsOf(terms: readonly Term[]): readonly Selection[] {
  return terms.filter(({ selector }) => !isNothing(selector)).map((one) => ({ ...one, target: NODES }));
}
