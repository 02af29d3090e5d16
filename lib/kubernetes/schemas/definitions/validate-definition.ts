import { type JsonObject, objectAt } from '../../../json/index.ts';
import type { FieldError } from '../../../selectors/index.ts';
import { child, goStrings, index, invalid, invalidPrinted, key, required } from '../../field-errors/index.ts';
import type { MetadataRules } from '../compiled-schema.ts';
import { validateSchema } from '../validate-schema.ts';
import { conversionErrors } from './conversion-rules.ts';
import { type DefinitionSpec, isTrue, specOf, statusOf, type Version, versionsOf } from './definition.ts';
import { keptOf } from './kept-rules.ts';
import { groupErrors, label, nameErrors, spellingErrors } from './name-rules.ts';
import { isShared, partsOf } from './shared-parts.ts';
import {
  columnErrors,
  deprecationErrors,
  selectableFieldErrors,
  subresourceErrors,
} from './version-rules.ts';

/**
 * Returns all errors of a definition, except in the metadata that every object has, with the messages of
 * pkg/apis/apiextensions/validation.
 *
 * @param definition with its defaults and its future status
 * @param old the definition that it replaces
 */
export async function validateDefinition(
  definition: JsonObject,
  metadata: MetadataRules,
  old?: JsonObject,
): Promise<FieldError[]> {
  const spec = specOf(definition);
  const status = statusOf(definition);
  return [
    ...(old === undefined ? definitionNameErrors(definition, spec) : []),
    ...groupErrors(spec, 'spec'),
    ...versionListErrors(spec),
    ...(await partErrors(spec, metadata, old)),
    ...nameErrors(spec.names, 'spec.names'),
    ...conversionErrors(spec.conversion, 'spec.conversion'),
    ...(old === undefined ? [] : immutableErrors(spec, old)),
    ...spellingErrors(status.acceptedNames, 'status.acceptedNames'),
    ...storedVersionErrors(status.storedVersions, versionsOf(spec)),
    ...approvalErrors(definition, spec, old),
    ...(spec.preserveUnknownFields === true
      ? [
          invalid(
            'spec.preserveUnknownFields',
            true,
            'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
          ),
        ]
      : []),
  ];
}

function definitionNameErrors(definition: JsonObject, { names, group }: DefinitionSpec): FieldError[] {
  const { name = '' } = objectAt(definition.metadata);
  const wanted = `${names?.plural ?? ''}.${group ?? ''}`;
  return name === wanted ? [] : [invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group')];
}

async function partErrors(
  { versions: listed }: DefinitionSpec,
  metadata: MetadataRules,
  old: JsonObject | undefined,
): Promise<FieldError[]> {
  const versions = listed ?? [];
  const columns = partsOf(versions, 'additionalPrinterColumns', 'spec');
  const schemas = partsOf(versions, 'schema', 'spec').map(async ({ version, value, path }) => {
    const schema = value?.openAPIV3Schema;
    if (schema === undefined) return [];
    // A schema shared by versions is validated with the subresources of all these versions.
    const sharing = isShared(versions, 'schema') ? versions : [version];
    const hasStatus = sharing.some(({ subresources }) => subresources?.status !== undefined);
    const kept = old && keptOf(schema, version.name, specOf(old));
    return validateSchema(schema, { path: child(path, 'openAPIV3Schema'), hasStatus, kept }, metadata);
  });
  return [
    ...(await Promise.all(schemas)).flat(),
    ...partsOf(versions, 'subresources', 'spec').flatMap(({ value = {}, path }) =>
      subresourceErrors(value, path),
    ),
    ...columns.flatMap(({ value = [], path }) => columnErrors(value, path)),
    ...partsOf(versions, 'selectableFields', 'spec').flatMap(({ version, value = [], path }) => {
      const schema = version.schema?.openAPIV3Schema;
      return schema === undefined ? [] : selectableFieldErrors(value, schema, path);
    }),
  ];
}

function versionListErrors(spec: DefinitionSpec): FieldError[] {
  const versions = versionsOf(spec);
  const names = versions.map(({ name }) => name);
  const [first = ''] = names;
  const list = (detail: string) => invalidPrinted('spec.versions', goVersions(spec), detail);
  return [
    ...versions.flatMap((version, at) => [
      ...label(version.name, child(index('spec.versions', at), 'name')),
      ...deprecationErrors(version, index('spec.versions', at)),
      ...(version.schema?.openAPIV3Schema === undefined
        ? [required(child(index('spec.versions', at), 'schema.openAPIV3Schema'), 'schemas are required')]
        : []),
    ]),
    // Kubernetes' internal type repeats the name of the first version.
    ...label(first, 'spec.version'),
    ...(new Set(names).size < names.length ? [list('must contain unique version names')] : []),
    ...(versions.filter(({ storage }) => storage).length === 1
      ? []
      : [list('must have exactly one version marked as storage version')]),
  ];
}

function immutableErrors(spec: DefinitionSpec, old: JsonObject): FieldError[] {
  const before = specOf(old);
  const fixed = (path: string, value: string, was: string) =>
    value === was ? [] : [invalid(path, value, 'field is immutable')];
  const established = isTrue(statusOf(old), 'Established')
    ? [
        ...fixed('spec.scope', spec.scope, before.scope),
        ...fixed('spec.names.kind', spec.names.kind, before.names.kind),
      ]
    : [];
  return [
    ...established,
    ...fixed('spec.group', spec.group, before.group),
    ...fixed('spec.names.plural', spec.names.plural, before.names.plural),
  ];
}

function storedVersionErrors(stored: readonly string[] | null, versions: readonly Version[]): FieldError[] {
  const path = 'status.storedVersions';
  if (stored === null || stored.length === 0) {
    return [invalidPrinted(path, '[]string(nil)', 'must have at least one stored version')];
  }
  const names = versions.map(({ name }) => name);
  return [
    // Upstream considers only the first occurrence of each name.
    ...versions
      .filter(({ name, storage }, at) => storage && (!stored.includes(name) || names.indexOf(name) < at))
      .map(({ name }) => invalidPrinted(path, goStrings(stored), `must have the storage version ${name}`)),
    ...stored.flatMap((name, at) =>
      names.includes(name)
        ? []
        : [
            invalid(
              index(path, at),
              name,
              `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
            ),
          ],
    ),
  ];
}

const APPROVAL = 'api-approved.kubernetes.io';
const PROTECTED = /(^|\.)(k8s|kubernetes)\.io$/;

/**
 * Checks that a definition in one of Kubernetes' own groups has an annotation that states whether the type was
 * approved.
 */
function approvalErrors(
  definition: JsonObject,
  { group = '' }: DefinitionSpec,
  old?: JsonObject,
): FieldError[] {
  if (!PROTECTED.test(group) || (old !== undefined && approvalOf(old) === approvalOf(definition))) return [];
  const approval = approvalOf(definition);
  const path = key('metadata.annotations', APPROVAL);
  const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
  const needed = `protected groups must have approval annotation "${APPROVAL}"`;
  if (approval === '') return [required(path, `${needed}, ${see}`)];
  if (approval.startsWith('unapproved') || /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(approval)) return [];
  return [
    invalid(path, approval, `${needed} with either a URL or a reason starting with "unapproved", ${see}`),
  ];
}

function approvalOf(definition: JsonObject): string {
  const approval = objectAt(objectAt(definition.metadata).annotations)[APPROVAL];
  return typeof approval === 'string' ? approval : '';
}

/** Formats the versions as Go prints Kubernetes' internal type, which stores parts that all versions share elsewhere. */
function goVersions({ versions }: DefinitionSpec): string {
  const type = 'apiextensions.CustomResourceDefinitionVersion';
  if (versions === null || versions === undefined) return `[]${type}(nil)`;
  const shown = versions.map(({ name, served, storage, deprecated = false }) =>
    [
      `${type}{Name:${JSON.stringify(name)}, Served:${served}, Storage:${storage}, Deprecated:${deprecated}`,
      'DeprecationWarning:(*string)(nil), Schema:(*apiextensions.CustomResourceValidation)(nil)',
      'Subresources:(*apiextensions.CustomResourceSubresources)(nil)',
      'AdditionalPrinterColumns:[]apiextensions.CustomResourceColumnDefinition(nil)',
      'SelectableFields:[]apiextensions.SelectableField(nil)}',
    ].join(', '),
  );
  return `[]${type}{${shown.join(', ')}}`;
}
