import type { APIGatewayProxyEvent } from 'aws-lambda';

/** A received HTTP request. */
export interface IncomingRequest {
  readonly method: string;
  /** The path and query as received. */
  readonly target: string;
  /** Alternating names and values in Node's format. API Gateway preserves the case. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly requestId: string;
  /** Whether it came over TLS. */
  readonly secure?: boolean;
  /** In ms since the epoch. */
  readonly time: number;
  /** The authorizer's context. */
  readonly authorizer?: APIGatewayProxyEvent['requestContext']['authorizer'];
}

export interface Gateway {
  readonly stage: string;
  readonly binaryMediaTypes: readonly string[];
}

/** Headers of a single connection, which API Gateway does not pass on. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect', 'te']);

/**
 * Converts a request into the event of a REST API with Lambda proxy integration. `path` is as received, without the
 * stage. The query is decoded, and `+` is a space. Absent maps and an empty body are null.
 */
export function toProxyEvent(request: IncomingRequest, gateway: Gateway): APIGatewayProxyEvent {
  const [path = '/', query = ''] = split(request.target);
  const headers = collect([...forwarded(request), ...pairs(request.rawHeaders)]);
  const parameters = collect([...new URLSearchParams(query)]);
  const isBinary = gateway.binaryMediaTypes.includes(mediaType(headers));
  const proxy = path === '/' ? null : decode(path.slice(1));
  return {
    resource: proxy === null ? '/' : '/{proxy+}',
    path,
    httpMethod: request.method,
    headers: last(headers),
    multiValueHeaders: Object.fromEntries(headers),
    queryStringParameters: parameters.size === 0 ? null : last(parameters),
    multiValueQueryStringParameters: parameters.size === 0 ? null : Object.fromEntries(parameters),
    pathParameters: proxy === null ? null : { proxy },
    stageVariables: null,
    requestContext: requestContext(request, path, gateway.stage),
    body: request.body.length === 0 ? null : request.body.toString(isBinary ? 'base64' : 'utf8'),
    isBase64Encoded: request.body.length > 0 && isBinary,
  };
}

function requestContext(request: IncomingRequest, path: string, stage: string) {
  const userAgent = pairs(request.rawHeaders).find(([name]) => name.toLowerCase() === 'user-agent')?.[1];
  return {
    accountId: '000000000000',
    apiId: 'local',
    authorizer: request.authorizer ?? LOCAL_USER,
    domainName: 'localhost',
    extendedRequestId: request.requestId,
    httpMethod: request.method,
    identity: { ...NOBODY, sourceIp: request.sourceIp, userAgent: userAgent ?? null },
    path: `/${stage}${path}`,
    protocol: 'HTTP/1.1',
    requestId: request.requestId,
    requestTimeEpoch: request.time,
    resourceId: 'local',
    resourcePath: path === '/' ? '/' : '/{proxy+}',
    stage,
  };
}

/** The user of a local run without a login: an administrator, like the principals in a deployment's settings. */
const LOCAL_USER = { principalId: 'local', principal: 'local', administrator: 'true' };

const NOBODY = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};

function split(target: string): readonly [string, string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  return rawHeaders
    .flatMap((name, index): [string, string][] => (index % 2 ? [] : [[name, rawHeaders[index + 1] ?? '']]))
    .filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()));
}

function forwarded(request: IncomingRequest): [string, string][] {
  return [
    ['X-Forwarded-For', request.sourceIp],
    ['X-Forwarded-Port', request.secure ? '443' : '80'],
    ['X-Forwarded-Proto', request.secure ? 'https' : 'http'],
  ];
}

function collect(entries: readonly (readonly [string, string])[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of entries) values.set(name, [...(values.get(name) ?? []), value]);
  return values;
}

function last(values: ReadonlyMap<string, readonly string[]>): Record<string, string> {
  return Object.fromEntries([...values].map(([name, all]) => [name, all.at(-1) ?? '']));
}

function mediaType(headers: ReadonlyMap<string, readonly string[]>): string {
  const found = [...headers].find(([name]) => name.toLowerCase() === 'content-type');
  return (found?.[1].at(-1) ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}
