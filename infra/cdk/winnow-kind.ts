import { CustomResource, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { SubscriptionProvider } from './subscription-provider.ts';

/** A CustomResourceDefinition, such as `definitionOf` of `@winnow-dev/client/definition` returns it. */
export interface KindDefinition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: object;
}

export interface WinnowKindProps {
  readonly provider: SubscriptionProvider;
  readonly definition: KindDefinition;
}

/**
 * A custom kind that the deployment of the stack defines through the API. The definition stays when the stack is deleted,
 * because its objects would be deleted with it.
 */
export class WinnowKind extends Construct {
  /** The name of the definition: `devices.fleet.example`. */
  readonly definitionName: string;

  /** @throws {Error} the object is no CustomResourceDefinition of apiextensions.k8s.io/v1 */
  constructor(scope: Construct, id: string, { provider, definition }: WinnowKindProps) {
    super(scope, id);
    const { apiVersion, kind, metadata, spec } = definition;
    if (apiVersion !== 'apiextensions.k8s.io/v1' || kind !== 'CustomResourceDefinition') {
      throw new Error(
        `${id}: ${kind} of ${apiVersion} is no definition; use a CustomResourceDefinition of apiextensions.k8s.io/v1`,
      );
    }
    this.definitionName = metadata.name;
    new CustomResource(this, 'Resource', {
      serviceToken: provider.serviceToken,
      resourceType: 'Custom::WinnowKind',
      removalPolicy: RemovalPolicy.RETAIN,
      properties: { definition: Stack.of(this).toJsonString({ apiVersion, kind, metadata, spec }) },
    });
  }
}
