import { dns1035LabelErrors, dns1123SubdomainErrors, type FieldError } from '../../../selectors/index.ts';
import { child, index, invalid, notSupported, required } from '../../field-errors/index.ts';
import type { DefinitionSpec, Names } from './definition.ts';

/** Returns the errors in the group and the scope of a definition. */
export function groupErrors({ group = '', scope = '' }: DefinitionSpec, path: string): FieldError[] {
  const scopes = ['Cluster', 'Namespaced'];
  const at = child(path, 'scope');
  return [
    ...groupNameErrors(group, child(path, 'group')),
    ...(scope === '' ? [required(at)] : []),
    ...(scope === '' || scopes.includes(scope) ? [] : [notSupported(at, scope, scopes)]),
  ];
}

/** Returns the errors in the names of a definition. */
export function nameErrors(names: Names, path: string): FieldError[] {
  const missing = (['plural', 'singular', 'kind', 'listKind'] as const).filter(
    (name) => (names[name] ?? '') === '',
  );
  return [...missing.map((name) => required(child(path, name))), ...spellingErrors(names, path)];
}

/** Returns the errors in the spelling of names. Absent names are valid. */
export function spellingErrors(names: Names, path: string): FieldError[] {
  const { kind = '', listKind = '', shortNames = [], categories = [] } = names;
  const lists = [
    ...listed(shortNames, child(path, 'shortNames')),
    ...listed(categories, child(path, 'categories')),
  ];
  return [
    ...label(names.plural ?? '', child(path, 'plural')),
    ...label(names.singular ?? '', child(path, 'singular')),
    ...mixedCase(kind, child(path, 'kind')),
    ...mixedCase(listKind, child(path, 'listKind')),
    ...(kind !== '' && kind === listKind
      ? [invalid(child(path, 'listKind'), listKind, 'kind and listKind may not be the same')]
      : []),
    ...lists,
  ];
}

/** Returns an error unless the value is a DNS-1035 label or empty. */
export function label(value: string, path: string): FieldError[] {
  const errors = value === '' ? [] : dns1035LabelErrors(value);
  return errors.length === 0 ? [] : [invalid(path, value, errors.join(','))];
}

function groupNameErrors(group: string, path: string): FieldError[] {
  if (group === '') return [required(path)];
  const errors = dns1123SubdomainErrors(group);
  if (errors.length > 0) return [invalid(path, group, errors.join(','))];
  return group.includes('.') ? [] : [invalid(path, group, 'should be a domain with at least one dot')];
}

function mixedCase(value: string, path: string): FieldError[] {
  const errors = value === '' ? [] : dns1035LabelErrors(value.toLowerCase());
  const detail = `may have mixed case, but should otherwise match: ${errors.join(',')}`;
  return errors.length === 0 ? [] : [invalid(path, value, detail)];
}

function listed(values: readonly string[], path: string): FieldError[] {
  return values.flatMap((value, at) => {
    const errors = dns1035LabelErrors(value);
    return errors.length === 0 ? [] : [invalid(index(path, at), value, errors.join(','))];
  });
}
