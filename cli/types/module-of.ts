import type { JsonObject } from '../../lib/json/index.ts';
import { Declarations } from './declarations.ts';

/** A kind as a server describes it. */
export interface ServedKind {
  readonly apiVersion: string;
  readonly plural: string;
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** Whether `status` is a subresource, which a create or an apply does not write. */
  readonly hasStatus: boolean;
  /** Whether Kubernetes or Winnow has this kind without a definition. */
  readonly isBuiltIn: boolean;
  /** The schemas of an OpenAPI document, by name. */
  readonly schemas: Readonly<Record<string, JsonObject>>;
  /** The name of the kind's schema. */
  readonly name: string;
  /** The paths that field selectors accept. */
  readonly selectable: readonly string[];
}

/** Fields that the client adds to each object, or that have a type of the client. */
const ENVELOPE = ['apiVersion', 'kind', 'metadata'];

/** Returns a TypeScript module with the types of a kind: the stored form, and the form that a writer gives. */
export function moduleOf(served: ServedKind): string {
  const { apiVersion, plural, kind, scope, hasStatus, isBuiltIn, schemas, name, selectable } = served;
  const declarations = new Declarations(schemas, isBuiltIn);
  const main = declarations.claim(kind);
  const { properties = {}, required = [], ...whole } = schemas[name] ?? {};
  const body = Object.fromEntries(
    Object.entries(properties as JsonObject).filter(([field]) => !ENVELOPE.includes(field)),
  );
  const written = Object.fromEntries(
    Object.entries(body).filter(([field]) => field !== 'status' || !hasStatus),
  );
  const stored = declarations.bodyOf({ ...whole, properties: body, required }, main, 'stored');
  const given = declarations.bodyOf({ ...whole, properties: written, required }, main, 'input');
  const paths = selectable.map((path) => JSON.stringify(path)).join(' | ');
  const parameters = [stored, given, ...(paths === '' ? [] : [paths])];
  const where = scope === 'Cluster' ? ", { scope: 'Cluster' }" : '';
  return [
    `// Types of ${plural} in ${apiVersion}, written by winnow types. Use them as`,
    `// winnow.objects(resource<${main}>('${apiVersion}', '${plural}'${where}))`,
    "import type { Kind } from '@winnow-dev/client/objects';",
    '',
    ...declarations.commentOf(whole.description, ''),
    `export type ${main} = Kind<${parameters.join(', ')}>;`,
    ...declarations.lines(),
    '',
  ].join('\n');
}
