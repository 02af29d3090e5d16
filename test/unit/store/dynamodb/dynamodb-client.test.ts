import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it } from '@jest/globals';
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

describe('the client of DynamoDB', () => {
  it('signs its requests, with the token of a session where there is one', async () => {
    const { authorization, ...headers } = await headersSent('token');
    expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=id\/.*x-amz-security-token.*Signature=/);
    expect(headers['x-amz-security-token']).toBe('token');
    expect(headers.host).toBe('dynamodb.us-east-1.amazonaws.com');
  });

  it('says who asks in a word, and passes no trace on', async () => {
    process.env.AWS_LAMBDA_FUNCTION_NAME = 'read';
    process.env._X_AMZN_TRACE_ID = 'Root=1-2-3';
    const headers = await headersSent();
    expect(headers['user-agent']).toBe('winnow');
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['x-amz-user-agent']));
    expect(Object.keys(headers).map((name) => name.toLowerCase())).not.toContain('x-amzn-trace-id');
  });
});
