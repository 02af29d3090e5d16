import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findDeployer } from '../../../infra/deployer.ts';
import { EXAMPLE_CREDENTIALS } from '../../support/login/eks-token.ts';
import { identityXml, type StsServer, startSts } from '../../support/login/fake-sts.ts';

const ARN = 'arn:aws:sts::111122223333:assumed-role/Deployer/ci';
const before = { ...process.env };

let sts: StsServer;
let status = 200;

beforeEach(async () => {
  status = 200;
  sts = await startSts(async () => ({ status, body: identityXml(ARN) }));
  process.env.AWS_ENDPOINT_URL_STS = sts.endpoint;
  process.env.AWS_ACCESS_KEY_ID = EXAMPLE_CREDENTIALS.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = EXAMPLE_CREDENTIALS.secretAccessKey;
  process.env.CDK_DEFAULT_REGION = 'eu-west-1';
  process.env.CDK_DEFAULT_ACCOUNT = '111122223333';
});

afterEach(async () => {
  process.env = { ...before };
  await sts.stop();
});

describe('the deployer', () => {
  it('the deployer is the role behind the credentials of the deployment', async () => {
    await expect(findDeployer()).resolves.toBe('arn:aws:iam::111122223333:role/Deployer');
  });

  it('there is no deployer if the CDK found no credentials', async () => {
    delete process.env.CDK_DEFAULT_ACCOUNT;
    await expect(findDeployer()).resolves.toBeUndefined();
  });

  it('there is no deployer if the CDK deploys to another account with other credentials', async () => {
    process.env.CDK_DEFAULT_ACCOUNT = '444455556666';
    await expect(findDeployer()).resolves.toBeUndefined();
  });

  it('there is no deployer if STS refuses to name it', async () => {
    status = 403;
    await expect(findDeployer()).resolves.toBeUndefined();
  });
});
