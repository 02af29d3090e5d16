import { Duration, Stack } from 'aws-cdk-lib';
import {
  AuthorizationType,
  EndpointType,
  LambdaIntegration,
  type Resource,
  ResponseTransferMode,
  RestApi,
  type TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { TIMING } from '../../lib/platform/index.ts';
import { type Functions, readTimeout } from './functions.ts';
import { addGatewayResponses } from './gateway-responses.ts';

/** Bodies of this type must reach the functions as bytes. */
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** Requests a second, and at once, that one stack takes before it answers 429. */
const THROTTLE = { throttlingRateLimit: 1_000, throttlingBurstLimit: 2_000 };

export interface ApiProps {
  readonly functions: Functions;
  readonly authorizer: TokenAuthorizer;
  readonly streaming: boolean;
}

/** The front door. API Gateway routes by path and method only, so every GET goes to one function. */
export class Api extends Construct {
  readonly rest: RestApi;

  constructor(scope: Construct, id: string, { functions, authorizer, streaming }: ApiProps) {
    super(scope, id);
    this.rest = new RestApi(this, 'Rest', {
      // By which CloudWatch tells one stack's requests from another's.
      restApiName: Stack.of(this).stackName,
      description: 'The Kubernetes REST API of Winnow',
      endpointTypes: [EndpointType.REGIONAL],
      binaryMediaTypes: [PROTOBUF],
      cloudWatchRole: false,
      deployOptions: { stageName: 'v1', ...THROTTLE },
      // Here, not per method: a method added later cannot be forgotten.
      defaultMethodOptions: {
        authorizationType: AuthorizationType.CUSTOM,
        authorizer,
      },
    });
    const read = readIntegration(functions, streaming);
    const write = new LambdaIntegration(functions.write.function, {
      allowTestInvoke: false,
      timeout: Duration.millis(TIMING.gateway),
    });
    const everything: Resource = this.rest.root.addResource('{proxy+}');
    for (const resource of [this.rest.root, everything]) {
      resource.addMethod('GET', read);
      for (const verb of ['POST', 'PUT', 'PATCH', 'DELETE']) resource.addMethod(verb, write);
    }
    addGatewayResponses(this.rest);
  }
}

function readIntegration({ read }: Functions, streaming: boolean): LambdaIntegration {
  return new LambdaIntegration(read.function, {
    allowTestInvoke: false,
    responseTransferMode: streaming ? ResponseTransferMode.STREAM : ResponseTransferMode.BUFFERED,
    timeout: readTimeout(streaming),
  });
}
