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
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const DEFINITIONS = 'apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/**
 * Creates the handler of a custom resource that is a CustomResourceDefinition. It deletes none, because the objects would
 * be deleted too. A definition that exists is changed, unless stored objects do not fit the new schema.
 */
export function createDefinitionResource({ api, sleep }: DefinitionResourceOptions) {
  return async (request: DefinitionRequest): Promise<{ readonly PhysicalResourceId: string }> => {
    const { RequestType, PhysicalResourceId = '', ResourceProperties } = request;
    if (RequestType === 'Delete') return { PhysicalResourceId };
    const definition = JSON.parse(ResourceProperties.definition) as Definition;
    const path = `${DEFINITIONS}/${definition.metadata.name}`;
    await refuseNarrowing(path, definition);
    await api.ask('PATCH', `${path}?fieldManager=cloudformation`, definition);
    await until(sleep, `waiting until ${definition.metadata.name} is served`, async () => {
      const { status } = (await api.ask('GET', path)) as Definition;
      const isServed = status?.conditions?.some(
        ({ type, status: is }) => type === 'Established' && is === 'True',
      );
      return isServed || undefined;
    });
    return { PhysicalResourceId: path };
  };

  /** @throws {Error} the schema refuses stored objects; the message names them. */
  async function refuseNarrowing(path: string, definition: Definition): Promise<void> {
    const warnings = await api.warningsOf(
      'PATCH',
      `${path}?fieldManager=cloudformation&dryRun=All`,
      definition,
    );
    const refusals = warnings.filter((text) => /^the new schema would refuse (?!0 )/.test(text));
    if (refusals.length === 0) return;
    throw new Error(`${definition.metadata.name} is unchanged: ${refusals.join('; ')}`);
  }
}
