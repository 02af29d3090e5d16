import { Stack } from 'aws-cdk-lib';
import { EndpointType, type RestApiProps } from 'aws-cdk-lib/aws-apigateway';
import { InterfaceVpcEndpoint } from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** The settings of API Gateway that decide from where the API can be reached, before the login. */
export interface EntranceProps {
  /** Requests per second that API Gateway accepts from all users together; default: 1,000. */
  readonly requestRate?: number | undefined;
  /** The burst of requests that it accepts; default: 2,000. */
  readonly requestBurst?: number | undefined;
  /** Ids of interface VPC endpoints for `execute-api`. With them the API is private: only these endpoints reach it. */
  readonly vpcEndpoints?: readonly string[] | undefined;
  /** IPv4 and IPv6 networks from which requests may come; with `vpcEndpoints` also ids of VPCs. */
  readonly allowedSources?: readonly string[] | undefined;
  /** The ARN of a regional web ACL of AWS WAF. */
  readonly webAcl?: string | undefined;
}

const VPC_ENDPOINT = /^vpce-[0-9a-f]{8,17}$/;
const VPC = /^vpc-[0-9a-f]{8,17}$/;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!\/)|(?=\/))){4}\/(?:3[0-2]|[12]?\d)$/;
const IPV6 = /^(?=[0-9a-f:]*:)[0-9a-f:]{2,39}\/(?:12[0-8]|1[01]\d|[1-9]?\d)$/i;
const WEB_ACL = /^arn:aws[a-z-]*:wafv2:[a-z0-9-]+:\d{12}:regional\/webacl\/[\w-]+\/[\w-]+$/;

/**
 * The endpoint type, throttling and resource policy of the REST API.
 *
 * @throws {Error} a setting is invalid, or has no effect without another one
 */
export function entrance(scope: Construct, props: EntranceProps): RestApiProps {
  const { vpcEndpoints = [], allowedSources = [], webAcl } = props;
  refuse('vpcEndpoints', vpcEndpoints, [VPC_ENDPOINT], 'the id of a VPC endpoint, vpce-…');
  const isPrivate = vpcEndpoints.length > 0;
  const sources = isPrivate ? [IPV4, IPV6, VPC] : [IPV4, IPV6];
  const known = 'a network such as 203.0.113.0/24, or with vpcEndpoints the id of a VPC';
  refuse('allowedSources', allowedSources, sources, known);
  refuse('webAcl', webAcl === undefined ? [] : [webAcl], [WEB_ACL], 'the ARN of a regional web ACL');
  const { requestRate: throttlingRateLimit = 1_000, requestBurst: throttlingBurstLimit = 2_000 } = props;
  const policy = policyOf(vpcEndpoints, allowedSources);
  return {
    deployOptions: { stageName: 'v1', throttlingRateLimit, throttlingBurstLimit },
    ...(isPrivate
      ? {
          endpointConfiguration: {
            types: [EndpointType.PRIVATE],
            vpcEndpoints: vpcEndpoints.map((vpcEndpointId) =>
              InterfaceVpcEndpoint.fromInterfaceVpcEndpointAttributes(scope, vpcEndpointId, {
                vpcEndpointId,
                port: 443,
              }),
            ),
          },
        }
      : { endpointTypes: [EndpointType.REGIONAL] }),
    ...(policy && { policy }),
  };
}

/** The URL of a private API for a kubeconfig. It works without private DNS in the VPC. */
export function privateUrl(scope: Construct, restApiId: string, vpcEndpoint: string): string {
  const { region, urlSuffix } = Stack.of(scope);
  return `https://${restApiId}-${vpcEndpoint}.execute-api.${region}.${urlSuffix}/v1/`;
}

/** Whether the functions of the deployment's custom resources, which run outside of every VPC, can reach the API. */
export function isOpen({ vpcEndpoints = [], allowedSources = [] }: EntranceProps): boolean {
  return vpcEndpoints.length === 0 && allowedSources.length === 0;
}

/**
 * The resource policy: it allows everything that no statement denies. A denial also applies to requests without its
 * key.
 */
function policyOf(
  vpcEndpoints: readonly string[],
  allowedSources: readonly string[],
): PolicyDocument | undefined {
  const networks = allowedSources.filter((source) => !VPC.test(source));
  const vpcs = allowedSources.filter((source) => VPC.test(source));
  const address = vpcEndpoints.length > 0 ? 'aws:VpcSourceIp' : 'aws:SourceIp';
  const refusals: Record<string, Record<string, readonly string[]>>[] = [];
  if (vpcEndpoints.length > 0) refusals.push({ StringNotEquals: { 'aws:SourceVpce': vpcEndpoints } });
  if (vpcs.length > 0) refusals.push({ StringNotEquals: { 'aws:SourceVpc': vpcs } });
  if (networks.length > 0) refusals.push({ NotIpAddress: { [address]: networks } });
  if (refusals.length === 0) return undefined;
  const every = { principals: [new AnyPrincipal()], actions: ['execute-api:Invoke'] };
  const resources = ['execute-api:/*'];
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ ...every, resources }),
      ...refusals.map(
        (conditions) => new PolicyStatement({ ...every, resources, effect: Effect.DENY, conditions }),
      ),
    ],
  });
}

function refuse(name: string, given: readonly string[], forms: readonly RegExp[], must: string): void {
  const wrong = given.find((one) => !forms.some((form) => form.test(one)));
  if (wrong === undefined) return;
  throw new Error(`the setting ${name} has ${JSON.stringify(wrong)}: it must be ${must}`);
}
