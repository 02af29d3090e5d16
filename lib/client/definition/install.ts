import { resource, type Winnow, WinnowError } from '../objects/index.ts';
import { pause } from '../pause.ts';
import { type AnyDefinedKind, type DefinitionKind, definitionOf } from './definition-of.ts';

export interface InstallOptions {
  /** Takes over fields of the definition that other managers own. Without it, that is a ConflictError. */
  readonly force?: boolean | undefined;
  /** The longest time until the kind is served, in ms; 30,000 by default. */
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called before the definition changes, with the stored objects that the new schema would refuse. If it throws, the
   * definition stays as it is.
   */
  readonly preview?: ((preview: Preview) => void | Promise<void>) | undefined;
}

/** The stored objects that a changed schema would refuse, and that the present schema accepts. */
export interface Preview {
  /** Their number, among the objects that the server checked. */
  readonly refused: number;
  /** The first ten: `default/cam-1: spec.model`, or `default/cam-1: spec.model in v1` if several versions are served. */
  readonly objects: readonly string[];
  /**
   * Whether the server checked all stored objects. It checks 10,000 at most, for ten seconds at most, and none for a
   * caller who may not list all objects of the kind.
   */
  readonly complete: boolean;
}

const PAUSE = 100;
const DEADLINE = 30_000;
const DEFINITIONS = resource<DefinitionKind>('apiextensions.k8s.io/v1', 'customresourcedefinitions', {
  kind: 'CustomResourceDefinition',
  scope: 'Cluster',
});

/**
 * Applies the CustomResourceDefinition of a kind, and waits until the kind is served. A definition that exists is changed.
 * Every request that begins afterwards sees the change, in every function of a deployment. A write that began before may
 * still commit under the former schema, for five seconds. Stored objects stay as they are. The server checks a later
 * write of them against the changed schema, but accepts parts that do not fit and that the write leaves unchanged.
 *
 * @throws {UnsupportedSchemaError} a definition cannot express the schema
 * @throws {InvalidError} the server refused the definition
 */
export async function install(
  winnow: Winnow,
  kind: AnyDefinedKind,
  { force, deadline = DEADLINE, signal, preview }: InstallOptions = {},
): Promise<void> {
  const { metadata, spec } = definitionOf(kind);
  const definitions = winnow.objects(DEFINITIONS);
  if (preview !== undefined) {
    let warnings: readonly string[] = [];
    const warned = (given: readonly string[]) => {
      warnings = given;
    };
    await definitions.apply({ metadata, spec }, { force, signal, warned, dryRun: true });
    await preview(previewOf(warnings));
  }
  let { status } = await definitions.apply({ metadata, spec }, { force, signal });
  const aborted = signal ?? new AbortController().signal;
  for (const end = performance.now() + deadline; ; ) {
    aborted.throwIfAborted();
    const isEstablished = status?.conditions?.some(
      ({ type, status: is }) => type === 'Established' && is === 'True',
    );
    const terminating = status?.conditions?.find(
      ({ type, status: is }) => type === 'Terminating' && is === 'True',
    );
    if (terminating !== undefined) {
      throw new Error(`${metadata.name} is being deleted: ${terminating.message}`);
    }
    if (isEstablished && (await isServed(winnow, kind))) return;
    if (performance.now() > end) {
      const conditions = status?.conditions?.map(
        ({ type, status: is, message }) => `${type}=${is} ${message}`,
      );
      throw new Error(`${metadata.name} is not served within ${deadline} ms: ${conditions?.join('; ')}`);
    }
    await pause(PAUSE, aborted);
    ({ status } = await definitions.get(metadata.name, { signal }));
  }
}

/** Reads the warnings of a dry run. */
function previewOf(warnings: readonly string[]): Preview {
  const told = warnings.flatMap((text) => /^the new schema would refuse (.*)$/.exec(text)?.[1] ?? []);
  const [summary = '0 of 0', ...objects] = told;
  const isPart = summary.includes('; only the first');
  const isUnchecked = warnings.some((text) => text.startsWith('stored objects were not checked'));
  return { refused: Number.parseInt(summary, 10), objects, complete: !isPart && !isUnchecked };
}

async function isServed(winnow: Winnow, { apiVersion, plural }: AnyDefinedKind): Promise<boolean> {
  try {
    const { resources } = await winnow.request<Resources>(`/apis/${apiVersion}`);
    return resources.some(({ name }) => name === plural);
  } catch (error) {
    if (error instanceof WinnowError && error.code === 404) return false;
    throw error;
  }
}

/** The resources of a version of a group: an `APIResourceList`. */
interface Resources {
  readonly resources: readonly { readonly name: string }[];
}
