import { describe, expect, it } from '@jest/globals';
import type { TemplateOptions } from '../../../infra/local/template.ts';
import { isAllowed, type PolicyStatement } from '../../support/template/policy.ts';
import { type Properties, properties, resources, synthesized } from './synthesized.ts';

const ENDPOINT = 'vpce-0123456789abcdef0';
const NETWORK = 'vpc-0123456789abcdef0';

async function apiOf(chosen: Partial<TemplateOptions>): Promise<Properties> {
  const [api] = properties(await synthesized(chosen), 'AWS::ApiGateway::RestApi');
  return api ?? {};
}

/** Whether the policy of the API allows a request from this source. */
async function lets(chosen: Partial<TemplateOptions>, from: Readonly<Record<string, string>>) {
  const { Policy } = await apiOf(chosen);
  return isAllowed(Policy.Statement as PolicyStatement[], {
    principal: { type: 'AWS', name: '*' },
    action: 'execute-api:Invoke',
    resource: 'execute-api:/*',
    context: Object.fromEntries(Object.entries(from).map(([key, value]) => [key, [value]])),
  });
}

describe('the network access to the API', () => {
  it('the API is open to the internet by default, without a policy and a web ACL', async () => {
    const template = await synthesized();
    const [api] = properties(template, 'AWS::ApiGateway::RestApi');
    expect(api).toMatchObject({ EndpointConfiguration: { Types: ['REGIONAL'] } });
    expect(api?.Policy).toBeUndefined();
    expect(resources(template, 'AWS::WAFv2::WebACLAssociation')).toEqual([]);
  });

  it('the API has the set request rate and burst', async () => {
    const limitOf = async (chosen: Partial<TemplateOptions>) => {
      const [stage] = properties(await synthesized(chosen), 'AWS::ApiGateway::Stage');
      const [limits] = stage?.MethodSettings ?? [];
      return [limits?.ThrottlingRateLimit, limits?.ThrottlingBurstLimit];
    };
    expect(await limitOf({})).toEqual([1_000, 2_000]);
    expect(await limitOf({ requestRate: 50, requestBurst: 70 })).toEqual([50, 70]);
  });

  it('the API is private with VPC endpoints, and only the named endpoints reach it', async () => {
    const chosen = { vpcEndpoints: [ENDPOINT] };
    const template = await synthesized(chosen);
    expect(await apiOf(chosen)).toMatchObject({
      EndpointConfiguration: { Types: ['PRIVATE'], VpcEndpointIds: [ENDPOINT] },
    });
    const { Outputs } = template as unknown as { Outputs: Record<string, { Value: unknown }> };
    expect(JSON.stringify(Outputs.ApiUrl?.Value)).toContain(`-${ENDPOINT}.execute-api.`);
    expect(Outputs.VpcEndpoints?.Value).toBe(ENDPOINT);
    expect(await lets(chosen, { 'aws:SourceVpce': ENDPOINT })).toBe(true);
    expect(await lets(chosen, { 'aws:SourceVpce': 'vpce-00000000' })).toBe(false);
    expect(await lets(chosen, {})).toBe(false);
  });

  it('the API allows only the named VPCs, through the named endpoints', async () => {
    const chosen = { vpcEndpoints: [ENDPOINT], allowedSources: [NETWORK] };
    expect(await lets(chosen, { 'aws:SourceVpce': ENDPOINT, 'aws:SourceVpc': NETWORK })).toBe(true);
    expect(await lets(chosen, { 'aws:SourceVpce': ENDPOINT, 'aws:SourceVpc': 'vpc-00000000' })).toBe(false);
    expect(await lets(chosen, { 'aws:SourceVpce': 'vpce-00000000', 'aws:SourceVpc': NETWORK })).toBe(false);
  });

  it('the API compares the address of a request with the named networks', async () => {
    const statementOf = async (chosen: Partial<TemplateOptions>) => (await apiOf(chosen)).Policy.Statement;
    const allowedSources = ['203.0.113.0/24', '2001:db8::/32'];
    const denied = (key: string) => ({
      Effect: 'Deny',
      Action: 'execute-api:Invoke',
      Principal: { AWS: '*' },
      Condition: { NotIpAddress: { [key]: allowedSources } },
    });
    expect(await statementOf({ allowedSources })).toMatchObject([
      { Effect: 'Allow' },
      denied('aws:SourceIp'),
    ]);
    const both = { vpcEndpoints: [ENDPOINT], allowedSources };
    expect(await statementOf(both)).toContainEqual(expect.objectContaining(denied('aws:VpcSourceIp')));
  });

  it('the API has the web ACL that the deployer names', async () => {
    const webAcl = 'arn:aws:wafv2:eu-west-1:111122223333:regional/webacl/mine/0a1b';
    const template = await synthesized({ webAcl });
    const [[stage]] = resources(template, 'AWS::ApiGateway::Stage') as [[string, unknown]];
    const [association] = properties(template, 'AWS::WAFv2::WebACLAssociation');
    expect(association?.WebACLArn).toBe(webAcl);
    expect(JSON.stringify(association?.ResourceArn)).toContain(stage);
  });
});
