/** What API Gateway hands a function for one request. */
export interface ProxyEventOptions {
  /** `{}` by default. */
  readonly query?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly body?: object;
}

export function proxyEvent(httpMethod: string, path: string, options: ProxyEventOptions = {}) {
  const { query = {}, contentType = 'application/json', body } = options;
  const several = Object.entries(query).map(([name, value]) => [name, [value]]);
  return {
    httpMethod,
    path,
    headers: { 'content-type': contentType },
    multiValueHeaders: { 'content-type': [contentType] },
    multiValueQueryStringParameters: several.length === 0 ? null : Object.fromEntries(several),
    requestContext: {
      requestId: 'bench',
      authorizer: { principal: 'arn:aws:iam::111122223333:role/Admin', administrator: 'true' },
    },
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
  };
}
