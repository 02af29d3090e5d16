import type { ApiClient } from './api-client.ts';
import { until } from './until.ts';

/** A request of CloudFormation for a custom resource that is a CustomResourceDefinition. */
export interface DefinitionRequest {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: {
    /** The definition as JSON. */
    readonly definition: string;
  };
}

export interface DefinitionResourceOptions {
  readonly api: ApiClient;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

interface Definition {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

/** The warnings of a dry run after which the definition stays as it is. */
const REFUSALS = /^the new schema would refuse (?!0 )|^stored objects were not checked/;
const DEFINITIONS = 'apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/**
 * Creates the handler of a custom resource that is a CustomResourceDefinition. It deletes none, because the objects would
 * be deleted too. A definition that exists is changed, unless stored objects do not fit the new schema, or this function
 * may not list them.
 */
export function createDefinitionResource({ api, sleep }: DefinitionResourceOptions) {
  return async (request: DefinitionRequest): Promise<{ readonly PhysicalResourceId: string }> => {
    const { RequestType, PhysicalResourceId = '', ResourceProperties } = request;
    if (RequestType === 'Delete') return { PhysicalResourceId };
    const definition = JSON.parse(ResourceProperties.definition) as Definition;
    const path = `${DEFINITIONS}/${definition.metadata.name}`;
    const isNew = (await api.ask('GET', path)) === undefined;
    await refuseNarrowing(path, definition);
    await api.ask('PATCH', `${path}?fieldManager=cloudformation`, definition);
    try {
      await until(sleep, `waiting until ${definition.metadata.name} is served`, () => look(path));
    } catch (error) {
      // A definition that was never served has no objects. Left behind, it would be served when its names become free.
      if (isNew && !(await isServed(path))) await api.ask('DELETE', path);
      throw error;
    }
    return { PhysicalResourceId: path };
  };

  /** Whether the kind is served now. */
  async function isServed(path: string): Promise<boolean> {
    const { status } = (await api.ask('GET', path)) as Definition;
    return (
      status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') ?? false
    );
  }

  /** Whether the kind is served; undefined if not yet. @throws {Error} it will not be served */
  async function look(path: string): Promise<true | undefined> {
    const { status, metadata } = (await api.ask('GET', path)) as Definition;
    const find = (type: string, is: string) =>
      status?.conditions?.find((condition) => condition.type === type && condition.status === is);
    const refused = find('NamesAccepted', 'False') ?? find('Terminating', 'True');
    if (refused !== undefined) {
      throw new Error(`${metadata.name} is not served: ${refused.message}`);
    }
    return find('Established', 'True') && true;
  }

  /** @throws {Error} the schema refuses stored objects, which the message names; or the server did not check them. */
  async function refuseNarrowing(path: string, definition: Definition): Promise<void> {
    const warnings = await api.warningsOf(
      'PATCH',
      `${path}?fieldManager=cloudformation&dryRun=All`,
      definition,
    );
    const refusals = warnings.filter((text) => REFUSALS.test(text));
    if (refusals.length === 0) return;
    throw new Error(`${definition.metadata.name} is unchanged: ${refusals.join('; ')}`);
  }
}
