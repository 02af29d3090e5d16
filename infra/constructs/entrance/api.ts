import { Duration, Stack } from 'aws-cdk-lib';
import {
  AuthorizationType,
  LambdaIntegration,
  type MethodOptions,
  type Resource,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { type FunctionName, TIMING, WITH_LOGIN } from '../../../lib/platform/index.ts';
import type { Gaps } from '../../emulators.ts';
import { type Functions, type Login, readTimeout, type WinnowFunction } from '../functions/index.ts';
import { type EntranceProps, entrance, privateUrl } from './entrance.ts';
import { addGatewayResponses } from './gateway-responses.ts';

/** A media type whose bodies must reach the functions as bytes. */
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

export interface ApiProps extends EntranceProps {
  readonly functions: Functions;
  readonly login: Login;
  readonly streaming: boolean;
  readonly gaps?: Gaps;
  /** The function that issues and reviews tokens of service accounts; absent without such tokens. */
  readonly issue?: WinnowFunction | undefined;
}

/** The path of `place` for POST. Other methods of the path have the default routes. */
const PLACEMENT_REVIEWS = 'apis/winnow.dev/v1/placementreviews';

/** The paths of `issue` for POST. */
const OF_TOKENS = [
  'api/v1/namespaces/{namespace}/serviceaccounts/{name}/token',
  'apis/authentication.k8s.io/v1/tokenreviews',
];

/**
 * The REST API in API Gateway, which routes by path and method only, so one function serves every GET. A path without a
 * route for a method uses the route of `{proxy+}`.
 */
export class Api extends Construct {
  readonly rest: RestApi;
  /** The server in a kubeconfig. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    const { functions, login, streaming, issue, gaps = {}, vpcEndpoints = [], webAcl } = props;
    this.rest = new RestApi(this, 'Rest', {
      // CloudWatch distinguishes the requests of stacks by this name.
      restApiName: Stack.of(this).stackName,
      description: 'The Kubernetes REST API of Winnow',
      binaryMediaTypes: [PROTOBUF],
      cloudWatchRole: false,
      ...entrance(this, props),
      // A default, so that a method that is added later cannot lack the login.
      defaultMethodOptions: loginOf(login, functions),
    });
    const read = readIntegration(functions, streaming);
    const write = new LambdaIntegration(functions.write.function, {
      allowTestInvoke: false,
      timeout: Duration.millis(TIMING.gateway),
    });
    // The gateway refuses methods without a route. If it cannot answer as Kubernetes does, `write` refuses them.
    const verbs = gaps['gateway-responses'] ? ['ANY'] : ['POST', 'PUT', 'PATCH', 'DELETE'];
    const everything: Resource = this.rest.root.addResource('{proxy+}');
    for (const resource of [this.rest.root, everything]) {
      resource.addMethod('GET', read);
      for (const verb of verbs) resource.addMethod(verb, write);
    }
    this.#post(PLACEMENT_REVIEWS, functions.place);
    if (issue !== undefined) for (const path of OF_TOKENS) this.#post(path, issue);
    addGatewayResponses(this.rest);
    const [vpcEndpoint] = vpcEndpoints;
    this.url = vpcEndpoint === undefined ? this.rest.url : privateUrl(this, this.rest.restApiId, vpcEndpoint);
    if (webAcl !== undefined) {
      const { stageArn: resourceArn } = this.rest.deploymentStage;
      new CfnWebACLAssociation(this, 'WebAcl', { resourceArn, webAclArn: webAcl });
    }
  }

  #post(path: string, { function: handler }: WinnowFunction): void {
    const integration = new LambdaIntegration(handler, {
      allowTestInvoke: false,
      timeout: Duration.millis(TIMING.gateway),
    });
    this.rest.root.resourceForPath(path).addMethod('POST', integration);
  }
}

/**
 * The authorization of all methods.
 *
 * @throws {Error} neither the gateway nor the functions behind it would authenticate requests
 */
function loginOf({ authorizer }: Login, { read, write, place }: Functions): MethodOptions {
  if (authorizer !== undefined) return { authorizationType: AuthorizationType.CUSTOM, authorizer };
  const asking: readonly FunctionName[] = Object.values(WITH_LOGIN);
  for (const { entryPoint } of [read, write, place]) {
    if (!asking.includes(entryPoint)) {
      throw new Error(`no authorizer would protect the function ${entryPoint}`);
    }
  }
  return { authorizationType: AuthorizationType.NONE };
}

function readIntegration({ read }: Functions, streaming: boolean): LambdaIntegration {
  return new LambdaIntegration(read.function, {
    allowTestInvoke: false,
    responseTransferMode: streaming ? ResponseTransferMode.STREAM : ResponseTransferMode.BUFFERED,
    timeout: readTimeout(streaming),
  });
}
