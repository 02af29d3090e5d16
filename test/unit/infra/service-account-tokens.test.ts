import { describe, expect, it } from '@jest/globals';
import { functionOf, functionsOf, properties, resources, statementsOf, synthesized } from './synthesized.ts';

const kmsOf = (statements: ReturnType<typeof statementsOf>) =>
  statements.flatMap(({ Action }) => [Action].flat().filter((action) => String(action).startsWith('kms:')));

describe('a stack with service account tokens', () => {
  it('only issue may sign tokens, and only issue and authorizer may read the public key', async () => {
    const template = await synthesized({ serviceAccountTokens: true });
    const [[id, key] = []] = resources(template, 'AWS::KMS::Key');
    expect(key).toMatchObject({
      DeletionPolicy: 'Delete',
      Properties: { KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' },
    });
    const may = functionsOf(template).map((name) => [name, kmsOf(statementsOf(template, name))] as const);
    expect(Object.fromEntries(may.filter(([, actions]) => actions.length > 0))).toEqual({
      issue: ['kms:GetPublicKey', 'kms:Sign'],
      authorizer: ['kms:GetPublicKey'],
    });
    for (const name of ['issue', 'authorizer']) {
      const { WINNOW_TOKEN_KEY } = functionOf(template, name)[1].Environment.Variables;
      expect(WINNOW_TOKEN_KEY).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
    }
    const role = functionOf(template, 'issue')[1].Role;
    expect(key?.Properties?.KeyPolicy).toMatchObject({
      Statement: expect.arrayContaining([
        {
          Sid: 'NobodyElseSigns',
          Effect: 'Deny',
          Principal: { AWS: '*' },
          Action: 'kms:Sign',
          Resource: '*',
          Condition: { ArnNotEquals: { 'aws:PrincipalArn': role } },
        },
      ]),
    });
    const plain = await synthesized();
    expect(functionsOf(plain)).not.toContain('issue');
    expect(resources(plain, 'AWS::KMS::Key')).toEqual([]);
    const more = (type: string) => resources(template, type).length - resources(plain, type).length;
    expect(['AWS::ApiGateway::Method', 'AWS::CloudWatch::Alarm'].map(more)).toEqual([2, 0]);
  });

  it('token requests go to issue behind the login, and the authorizer accepts the tokens', async () => {
    const template = await synthesized({ serviceAccountTokens: true });
    const [issue] = functionOf(template, 'issue');
    const methods = properties(template, 'AWS::ApiGateway::Method');
    const theirs = methods.filter(({ Integration }) =>
      JSON.stringify(Integration.Uri).includes(`"${issue}"`),
    );
    const post = { HttpMethod: 'POST', AuthorizationType: 'CUSTOM' };
    expect(theirs).toMatchObject([post, post]);
    const [{ IdentityValidationExpression: syntax } = {}] = properties(
      template,
      'AWS::ApiGateway::Authorizer',
    );
    expect(new RegExp(String(syntax)).test('Bearer a.b.c')).toBe(true);
  });

  it('issue gets the issuers that the deployment names, within the limit of the environment', async () => {
    const url = `https://issuer.example/${'a'.repeat(2_000)}`;
    const authenticationConfig = (of: string) =>
      JSON.stringify({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'AuthenticationConfiguration',
        jwt: [
          {
            issuer: { url: of, audiences: ['winnow'] },
            claimMappings: { username: { claim: 'sub', prefix: '' } },
          },
        ],
      });
    const named = { serviceAccountTokens: true, authenticationConfig: authenticationConfig(url) };
    const template = await synthesized(named);
    const { WINNOW_ISSUERS } = functionOf(template, 'issue')[1].Environment.Variables;
    expect(WINNOW_ISSUERS).toBe(functionOf(template, 'authorizer')[1].Environment.Variables.WINNOW_ISSUERS);
    expect(String(WINNOW_ISSUERS)).toContain(url);
    const rules = Array.from({ length: 30 }, (_, at) => ({
      level: 'Metadata',
      users: [`user-number-${at}`],
    }));
    const auditPolicy = JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules });
    await expect(synthesized({ ...named, auditPolicy })).rejects.toThrow(
      /issuers and audit policy take \d+ bytes as JSON; the limit is 3300/,
    );
  });

  it('serviceAccountTokens needs an authorizer', async () => {
    const asked = synthesized({ serviceAccountTokens: true, emulator: 'localstack' });
    await expect(asked).rejects.toThrow('serviceAccountTokens needs an authorizer');
  });
});
