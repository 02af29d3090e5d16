import { type Collection, collectionOf, isJsonObject, type JsonValue, valueAt } from '../../json/index.ts';
import { everyField, type FieldError } from '../../selectors/index.ts';
import { SELECTS } from '../resource-types/index.ts';
import { isNothing, readSelector, type SelectorForm } from './read-selector.ts';
import type { Selection } from './selection.ts';

/** One field of a custom kind that holds a selector. */
export interface DeclaredField {
  readonly target: Collection;
  readonly path: string;
}

export interface DeclaredFields {
  readonly fields: readonly DeclaredField[];
  readonly errors: readonly FieldError[];
}

const MOST_FIELDS = 8;
/** Matches `pods=.spec.selector`, `deployments.apps=.spec.selector`: resources and paths in kubectl's notation. */
const FIELD = /^([a-z][a-z0-9-]*)(?:\.([a-z0-9.-]+))?=((?:\.[A-Za-z_][A-Za-z0-9_-]*)+)$/;

/**
 * Parses the annotation: selector fields and their target types, separated by commas.
 *
 * @example `winnow.dev/selects: pods=.spec.selector,nodes=.spec.nodeSelector`
 */
export function readDeclaredFields(text: string): DeclaredFields {
  const parts = text.split(',').map((part) => part.trim());
  const matches = parts.map((part) => FIELD.exec(part));
  const field = `metadata.annotations[${SELECTS}]`;
  const errors = parts.flatMap((value, index): FieldError[] =>
    matches[index] ? [] : [{ type: 'Invalid', field, value, detail: 'must be like pods=.spec.selector' }],
  );
  if (parts.length > MOST_FIELDS) {
    const detail = `must name ${MOST_FIELDS} fields at most`;
    errors.push({ type: 'Invalid', field, value: parts.length, detail });
  }
  const paths = matches.map((match) => match?.[3]);
  if (new Set(paths).size < paths.length) {
    errors.push({ type: 'Invalid', field, value: text, detail: 'must name each path once' });
  }
  const fields = matches.flatMap((match) => {
    const [, resource = '', group = '', path = ''] = match ?? [];
    return match ? [{ target: collectionOf(group, resource), path: path.slice(1) }] : [];
  });
  return errors.length > 0 ? { fields: [], errors } : { fields, errors };
}

export interface CustomCarrier {
  readonly fields: readonly DeclaredField[];
  /** `''` in cluster scope. */
  readonly namespace: string;
  /** Whether the objects of a collection are namespaced. */
  isNamespaced(target: Collection): boolean;
}

/**
 * Returns the selections of an object of a custom kind. They cover its own namespace if both it and the target are
 * namespaced, else all namespaces.
 *
 * - A text is parsed as `kubectl -l` does.
 * - An object with only string values is a map of labels. Any other object is a LabelSelector.
 * - An empty selector selects everything, an absent one nothing.
 */
export function customSelections(
  body: JsonValue,
  { fields, namespace, isNamespaced }: CustomCarrier,
): readonly Selection[] {
  return fields.flatMap(({ target, path }) => {
    const value = valueAt(body, path);
    const selector = readSelector(value, formOf(value));
    if (isNothing(selector)) return [];
    const isOwn = namespace !== '' && isNamespaced(target);
    return [{ path, target, ...(isOwn ? { namespaces: [namespace] } : {}), selector, fields: everyField }];
  });
}

function formOf(value: JsonValue | undefined): SelectorForm {
  if (typeof value === 'string') return 'text';
  const isMap =
    isJsonObject(value) && Object.values(value).every((one) => typeof one === 'string' || one === null);
  return isMap && Object.keys(value).length > 0 ? 'map' : 'labelSelector';
}
