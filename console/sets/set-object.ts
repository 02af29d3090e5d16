import { fromLabelSelector } from '../../lib/selectors/index.ts';
import { EXPLORE, type Route } from '../route/index.ts';

/** The part of a spec that defines a set. */
export interface SetSpec {
  readonly resource?: { readonly group?: string; readonly resource?: string };
  readonly namespaces?: string | null;
  readonly namespaceSelector?: object | null;
  readonly labelSelector?: string;
  readonly selector?: object;
  readonly fieldSelector?: string;
  readonly suspend?: boolean;
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface SetStatus {
  readonly phase?: string;
  readonly conditions?: readonly Condition[];
}

/** A Subscription or a Tally. */
export interface SetObject<Spec = unknown, Status = unknown> {
  readonly spec: SetSpec & Spec;
  readonly status?: SetStatus & Status;
}

/** The id of the kind whose objects the set has: `pods`, `devices.fleet.example`. */
export function resourceId({ resource: { group = '', resource = '' } = {} }: SetSpec): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** The label selector of the set as text. Empty if it selects every object. */
export function selectorText({ labelSelector, selector }: SetSpec): string {
  if (labelSelector !== undefined && labelSelector !== '') return labelSelector;
  return selector === undefined ? '' : String(fromLabelSelector(selector));
}

/** The namespaces of the set in words. `own` is the namespace of the object that defines it. */
export function namespacesText({ namespaces, namespaceSelector }: SetSpec, own: string): string {
  if (namespaceSelector) {
    const text = String(fromLabelSelector(namespaceSelector));
    return text === '' ? 'in all namespaces' : `in namespaces with ${text}`;
  }
  return namespaces === 'All' ? 'in all namespaces' : `in ${own}`;
}

/** The set in words: `pods in shop with app=web and Ready=True`. */
export function setSentence(spec: SetSpec, own: string): string {
  const conditions = [selectorText(spec), spec.fieldSelector ?? ''].filter((text) => text !== '');
  const having = conditions.length === 0 ? '' : ` with ${conditions.join(' and ')}`;
  return `${resourceId(spec)} ${namespacesText(spec, own)}${having}`;
}

/** The route of the set in Explore. `more` is a selector that narrows it. */
export function exploreRoute(spec: SetSpec, own: string, more = ''): Route {
  const isOwn = !spec.namespaceSelector && spec.namespaces !== 'All';
  return {
    ...EXPLORE,
    kind: resourceId(spec),
    namespace: isOwn ? own : '',
    selector: [selectorText(spec), more].filter((text) => text !== '').join(','),
    fields: spec.fieldSelector ?? '',
  };
}

export function conditionOf(status: SetStatus | undefined, type: string): Condition | undefined {
  return status?.conditions?.find((one) => one.type === type);
}
