import { type JsonObject, type JsonValue, jsonEquals, objectAt } from '../../json/index.ts';
import { dns1123SubdomainErrors } from '../../selectors/index.ts';
import { child, index, notSupported, required } from '../field-errors/index.ts';
import { type Errors, invalidFor } from './errors.ts';
import { goTexts } from './go-values.ts';
import { labelSelector } from './label-selectors.ts';
import { nameErrors } from './names.ts';
import { isThere, objectsOf, textOf, textsOf } from './reading.ts';

const GROUP = 'rbac.authorization.k8s.io';
const SUBJECTS = ['ServiceAccount', 'User', 'Group'];

export function* role({ rules }: JsonObject): Errors {
  yield* policyRules(rules, true);
}

export function* clusterRole({ rules, aggregationRule }: JsonObject): Errors {
  yield* policyRules(rules, false);
  if (!isThere(aggregationRule)) return;
  const path = 'aggregationRule.clusterRoleSelectors';
  const selectors = objectsOf(objectAt(aggregationRule).clusterRoleSelectors);
  if (selectors.length === 0) {
    yield required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
  }
  for (const [at, selector] of selectors.entries()) yield* labelSelector(index(path, at), selector);
}

export function* roleBinding(body: JsonObject): Errors {
  yield* binding(body, ['Role', 'ClusterRole']);
}

export function* clusterRoleBinding(body: JsonObject): Errors {
  yield* binding(body, ['ClusterRole']);
}

/** Checks the update of a binding. Its subjects may change, but its role may not. */
export function* bindingUpdate(body: JsonObject, old: JsonObject): Errors {
  if (jsonEquals(body.roleRef ?? null, old.roleRef ?? null)) return;
  const { apiGroup, kind, name } = objectAt(body.roleRef);
  const [group, named] = [JSON.stringify(textOf(apiGroup)), JSON.stringify(textOf(name))];
  const printed = `rbac.RoleRef{APIGroup:${group}, Kind:${JSON.stringify(textOf(kind))}, Name:${named}}`;
  yield { type: 'Invalid', field: 'roleRef', detail: `${printed}: cannot change roleRef` };
}

function* policyRules(rules: JsonValue | undefined, isNamespaced: boolean): Errors {
  for (const [at, rule] of objectsOf(rules).entries()) {
    const own = index('rules', at);
    const path = child(own, 'nonResourceURLs');
    const count = (field: string) => textsOf(rule[field]).length;
    if (count('verbs') === 0) yield required(child(own, 'verbs'), 'verbs must contain at least one value');
    if (count('nonResourceURLs') > 0) {
      const printed = goTexts(rule.nonResourceURLs);
      const refuse = (why: string) =>
        ({ type: 'Invalid', field: path, detail: `${printed}: ${why}` }) as const;
      if (isNamespaced) yield refuse('namespaced rules cannot apply to non-resource URLs');
      if (count('apiGroups') + count('resources') + count('resourceNames') > 0) {
        yield refuse('rules cannot apply to both regular resources and non-resource URLs');
      }
      continue;
    }
    if (count('apiGroups') === 0) {
      yield required(child(own, 'apiGroups'), 'resource rules must supply at least one api group');
    }
    if (count('resources') === 0) {
      yield required(child(own, 'resources'), 'resource rules must supply at least one resource');
    }
  }
}

function* binding({ roleRef, subjects }: JsonObject, kinds: readonly string[]): Errors {
  const { apiGroup, kind, name } = objectAt(roleRef);
  if (apiGroup !== GROUP) yield notSupported('roleRef.apiGroup', textOf(apiGroup), [GROUP]);
  if (!kinds.includes(textOf(kind))) yield notSupported('roleRef.kind', textOf(kind), kinds);
  if (textOf(name) === '') {
    yield required('roleRef.name');
  } else {
    yield* invalidFor('roleRef.name', textOf(name), nameErrors('path', textOf(name)));
  }
  const isNamespaced = kinds.includes('Role');
  for (const [at, one] of objectsOf(subjects).entries()) {
    yield* subject(index('subjects', at), one, isNamespaced);
  }
}

function* subject(path: string, one: JsonObject, isNamespaced: boolean): Errors {
  const [kind, name, group] = [textOf(one.kind), textOf(one.name), textOf(one.apiGroup)];
  if (name === '') yield required(child(path, 'name'));
  if (kind === 'ServiceAccount') {
    if (name !== '') yield* invalidFor(child(path, 'name'), name, dns1123SubdomainErrors(name));
    if (group !== '') yield notSupported(child(path, 'apiGroup'), group, ['']);
    if (!isNamespaced && textOf(one.namespace) === '') yield required(child(path, 'namespace'));
  } else if (!SUBJECTS.includes(kind)) {
    yield notSupported(child(path, 'kind'), kind, SUBJECTS);
  } else if (group !== GROUP) {
    yield notSupported(child(path, 'apiGroup'), group, [GROUP]);
  }
}
