import { createServer } from 'node:http';
import type { AskSts, StsAnswer, StsRequest } from '../../../lib/login/index.ts';
import { listen } from '../listen.ts';
import { EXAMPLE_CREDENTIALS, presign } from './eks-token.ts';

export const EXAMPLE_ACCOUNT = '111122223333';

/** The answer of STS to GetCallerIdentity, in its documented form. */
export function identityXml(arn: string, account = EXAMPLE_ACCOUNT): string {
  return `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <GetCallerIdentityResult>
    <Arn>${arn}</Arn>
    <UserId>AIDACKCEVSQ6C2EXAMPLE</UserId>
    <Account>${account}</Account>
  </GetCallerIdentityResult>
  <ResponseMetadata>
    <RequestId>01234567-89ab-cdef-0123-456789abcdef</RequestId>
  </ResponseMetadata>
</GetCallerIdentityResponse>`;
}

export function errorXml(code: string): string {
  return `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code></Error></ErrorResponse>`;
}

export interface FakeSts {
  readonly ask: AskSts;
  /** The received requests, oldest first. */
  readonly asked: readonly StsRequest[];
}

/** An STS that knows the principals by their access keys, all with the example secret, and checks signatures. */
export function fakeSts(arns: Readonly<Record<string, string>>): FakeSts {
  const asked: StsRequest[] = [];
  const ask: AskSts = async (request) => {
    asked.push(request);
    return answer(arns, request);
  };
  return { ask, asked };
}

async function answer(
  arns: Readonly<Record<string, string>>,
  { host, query, clusterId }: StsRequest,
): Promise<StsAnswer> {
  const sent = Object.fromEntries(new URLSearchParams(query));
  const [accessKeyId = '', , region = ''] = (sent['X-Amz-Credential'] ?? '').split('/');
  const sessionToken = sent['X-Amz-Security-Token'];
  const arn = arns[accessKeyId];
  if (arn === undefined) return { status: 403, body: errorXml('InvalidClientTokenId') };
  const { secretAccessKey } = EXAMPLE_CREDENTIALS;
  const due = await presign({
    clusterId,
    host,
    region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
    date: parseDate(sent['X-Amz-Date'] ?? ''),
    expiresIn: Number(sent['X-Amz-Expires']),
  });
  return due['X-Amz-Signature'] === sent['X-Amz-Signature']
    ? { status: 200, body: identityXml(arn) }
    : { status: 403, body: errorXml('SignatureDoesNotMatch') };
}

function parseDate(text: string): Date {
  return new Date(text.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
}

export interface StsServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** The same over HTTP, for every region of the partition `aws`. */
export async function startSts(ask: AskSts): Promise<StsServer> {
  const server = createServer(async (request, response) => {
    const query = new URL(request.url ?? '/', 'http://sts').search.slice(1);
    const [, , region] = (new URLSearchParams(query).get('X-Amz-Credential') ?? '').split('/');
    const clusterId = String(request.headers['x-k8s-aws-id']);
    const { status, body } = await ask({ host: `sts.${region}.amazonaws.com`, query, clusterId });
    response.writeHead(status, { 'content-type': 'text/xml' }).end(body);
  });
  const { url, stop } = await listen(server);
  return { endpoint: url, stop };
}
