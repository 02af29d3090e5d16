import { createHash, createHmac } from 'node:crypto';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SigningHash } from '../../../../lib/platform/index.ts';
import { createClient } from '../../../../lib/store/dynamodb/client.ts';

/** The headers of the request that a client sends. */
async function headersSent(sessionToken?: string): Promise<Record<string, string>> {
  let sent: Record<string, string> = {};
  const requestHandler = {
    handle: async ({ headers }: { headers: Record<string, string> }) => {
      sent = headers;
      const body = Buffer.from('{}');
      return { response: { statusCode: 200, headers: {}, body } };
    },
  };
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret', ...(sessionToken && { sessionToken }) };
  await createClient({ region: 'us-east-1', credentials, requestHandler }).send(new ListTablesCommand({}));
  return sent;
}

afterEach(() => {
  delete process.env.AWS_LAMBDA_FUNCTION_NAME;
  delete process.env._X_AMZN_TRACE_ID;
});

describe('the DynamoDB client', () => {
  it('signs its requests, with the session token if there is one', async () => {
    const { authorization, ...headers } = await headersSent('token');
    expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=id\/.*x-amz-security-token.*Signature=/);
    expect(headers['x-amz-security-token']).toBe('token');
    expect(headers.host).toBe('dynamodb.us-east-1.amazonaws.com');
  });

  it('sends one word as the user agent, and forwards no trace header', async () => {
    process.env.AWS_LAMBDA_FUNCTION_NAME = 'read';
    process.env._X_AMZN_TRACE_ID = 'Root=1-2-3';
    const headers = await headersSent();
    expect(headers['user-agent']).toBe('winnow');
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['x-amz-user-agent']));
    expect(Object.keys(headers).map((name) => name.toLowerCase())).not.toContain('x-amzn-trace-id');
  });
});

describe('the signing hash', () => {
  const secrets = ['first', 'second', 'third', 'fourth', 'fifth', 'first', Buffer.from('bytes')];

  it('is SHA-256, keyed by the given secret', async () => {
    for (const secret of [...secrets, ...secrets]) {
      const keyed = new SigningHash(secret);
      keyed.update('a text, ');
      keyed.update(Buffer.from('and bytes'));
      const wanted = createHmac('sha256', secret).update('a text, and bytes').digest('hex');
      expect(Buffer.from(await keyed.digest()).toString('hex')).toBe(wanted);
    }
    const plain = new SigningHash();
    plain.update('forgotten');
    plain.reset();
    plain.update(new Uint8Array([1, 2, 3]).buffer);
    const wanted = createHash('sha256')
      .update(Buffer.from([1, 2, 3]))
      .digest('hex');
    expect(Buffer.from(await plain.digest()).toString('hex')).toBe(wanted);
  });
});
