import { describe, expect, it } from '@jest/globals';
import { functionOf, functionsOf, properties, resources, statementsOf, synthesized } from './synthesized.ts';

const kmsOf = (statements: ReturnType<typeof statementsOf>) =>
  statements.flatMap(({ Action }) => [Action].flat().filter((action) => String(action).startsWith('kms:')));

describe('where service accounts have tokens', () => {
  it('one function may sign, and one other may know the key; else there is neither, and no key', async () => {
    const template = await synthesized({ serviceAccountTokens: true });
    const [[id, key] = []] = resources(template, 'AWS::KMS::Key');
    expect(key).toMatchObject({
      DeletionPolicy: 'Delete',
      Properties: { KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' },
    });
    const may = functionsOf(template).map((name) => [name, kmsOf(statementsOf(template, name))] as const);
    expect(Object.fromEntries(may.filter(([, actions]) => actions.length > 0))).toEqual({
      issue: ['kms:Sign'],
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
    expect(['AWS::ApiGateway::Method', 'AWS::CloudWatch::Alarm'].map(more)).toEqual([1, 2]);
  });

  it('their requests go to it, behind the login, and their tokens to the authorizer', async () => {
    const template = await synthesized({ serviceAccountTokens: true });
    const [issue] = functionOf(template, 'issue');
    const methods = properties(template, 'AWS::ApiGateway::Method');
    const theirs = methods.filter(({ Integration }) =>
      JSON.stringify(Integration.Uri).includes(`"${issue}"`),
    );
    expect(theirs).toMatchObject([{ HttpMethod: 'POST', AuthorizationType: 'CUSTOM' }]);
    const [{ IdentityValidationExpression: syntax } = {}] = properties(
      template,
      'AWS::ApiGateway::Authorizer',
    );
    expect(new RegExp(String(syntax)).test('Bearer a.b.c')).toBe(true);
  });

  it('there has to be an authorizer', async () => {
    const asked = synthesized({ serviceAccountTokens: true, emulator: 'localstack' });
    await expect(asked).rejects.toThrow('tokens of service accounts need an authorizer');
  });
});
