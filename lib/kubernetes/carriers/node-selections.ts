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

/** A selection that some term makes. */
interface Term {
  readonly path: string;
  readonly selector: Selector;
  readonly fields: FieldSelector;
}

/**
 * Which nodes a pod of this spec may run on: those that its `nodeSelector` matches and one term at least of its
 * required node affinity. One that has neither asks for no node. A selection for each term.
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

/** Which nodes a v1.NodeSelector (a volume's `spec.nodeAffinity.required`) matches. */
export function nodeSelectorSelections(object: JsonValue | undefined, path: string): readonly Selection[] {
  return isJsonObject(object) ? selectionsOf(termsOf(object, path)) : [];
}

/** Which nodes a plain map of labels (`scheduling.nodeSelector` of a RuntimeClass) matches; an empty one asks for none. */
export function nodeMapSelections(map: JsonValue | undefined, path: string): readonly Selection[] {
  if (!isJsonObject(map) || Object.keys(map).length === 0) return [];
  return selectionsOf([term(path, readSelector(map, 'map'))]);
}

/** The terms that can match: as the scheduler has it, one that asks nothing matches nothing. */
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

/** Of two that match something: the texts of both, as the language joins them. */
function conjunction(one: Selector, other: Selector): Selector {
  if (isNothing(one) || isNothing(other)) return nothing;
  return parseSelector([`${one}`, `${other}`].filter(Boolean).join(','));
}

const term = (path: string, selector: Selector): Term => ({ path, selector, fields: everyField });

function selectionsOf(terms: readonly Term[]): readonly Selection[] {
  return terms.filter(({ selector }) => !isNothing(selector)).map((one) => ({ ...one, target: NODES }));
}
