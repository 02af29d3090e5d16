import { type JsonObject, objectAt, valueAt } from '../../lib/json/index.ts';
import { findResourceType } from '../../lib/kubernetes/resource-types/index.ts';
import type { FoundType } from '../finding/index.ts';
import type { ServedKind } from './module-of.ts';

/** The requests of a connection. */
interface Reader {
  ask(method: string, path: string): Promise<JsonObject>;
  send(
    method: string,
    path: string,
  ): Promise<{ readonly status: number; readonly body?: JsonObject | undefined }>;
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/**
 * Reads the description of a kind: its schema from the OpenAPI document of its group.
 *
 * @throws {Error} the document has no schema of the kind
 */
export async function readKind(connection: Reader, found: FoundType): Promise<ServedKind> {
  const { root, plural, kind, namespaced, hasStatus } = found;
  const apiVersion = root.split('/').slice(2).join('/');
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const document: JsonObject = await connection.ask('GET', `/openapi/v3${root}`);
  const schemas = objectAt(valueAt(document, 'components.schemas'));
  const own = { group, version, kind };
  const isOwn = (schema: unknown) => {
    const kinds = objectAt(schema as JsonObject)['x-kubernetes-group-version-kind'];
    return Array.isArray(kinds) && kinds.some((one) => isSameKind(objectAt(one), own));
  };
  const [name] = Object.entries(schemas).find(([, schema]) => isOwn(schema)) ?? [];
  if (name === undefined) throw new Error(`the server publishes no schema of ${plural} ${apiVersion}`);
  return {
    apiVersion,
    plural,
    kind,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    hasStatus,
    isBuiltIn: findResourceType(group, version, plural) !== undefined,
    schemas: schemas as Readonly<Record<string, JsonObject>>,
    name,
    selectable: await selectableOf(connection, { group, version, plural }),
  };
}

function isSameKind(one: JsonObject, other: { readonly [name: string]: string }): boolean {
  return Object.entries(other).every(([name, value]) => one[name] === value);
}

/** The paths that field selectors accept besides the names: of the definition, or those of the built-in kind. */
async function selectableOf(
  connection: Reader,
  { group, version, plural }: { readonly group: string; readonly version: string; readonly plural: string },
): Promise<readonly string[]> {
  const builtIn = findResourceType(group, version, plural);
  if (builtIn !== undefined) return (builtIn.fields ?? []).filter((path) => !path.startsWith('metadata.'));
  const { status, body } = await connection.send('GET', `${DEFINITIONS}/${plural}.${group}`);
  // Without the right to read the definition, the types have no selectable fields.
  if (status !== 200) return [];
  const versions = valueAt(body ?? {}, 'spec.versions');
  const served = (Array.isArray(versions) ? versions : []).map(objectAt).find(({ name }) => name === version);
  const paths = served?.selectableFields;
  return (Array.isArray(paths) ? paths : []).map((one) => String(objectAt(one).jsonPath).replace(/^\./, ''));
}
