import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';

interface Answer {
  readonly type: ResponseType;
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly retryAfter?: number;
}

const answer = (type: ResponseType, code: number, reason: string, message: string): Answer => ({
  type,
  code,
  reason,
  message,
});

const forbidden = (type: ResponseType) => answer(type, 403, 'Forbidden', 'forbidden');
const internal = (type: ResponseType, message: string) => answer(type, 500, 'InternalError', message);

/**
 * The answer for a function that crashed or answered too late. The function may have written before that. There is no
 * Retry-After, because client libraries would repeat the request. All methods have one text, because a gateway response
 * cannot distinguish them.
 */
const UNKNOWN_OUTCOME =
  'if this was a write, the write may have been applied: read the object before you send it again';
const died = (type: ResponseType) =>
  answer(
    type,
    503,
    'ServiceUnavailable',
    `the server failed before it answered the request; ${UNKNOWN_OUTCOME}`,
  );

const tooMany = (type: ResponseType): Answer => ({
  ...answer(type, 429, 'TooManyRequests', 'Too many requests, please try again later.'),
  retryAfter: 1,
});

/** API Gateway does not document which of two types an authorizer's error has, so both get this answer. */
const unchecked = (type: ResponseType): Answer => ({
  ...answer(type, 503, 'ServiceUnavailable', 'the login cannot be checked now'),
  retryAfter: 1,
});

/**
 * The errors that API Gateway answers itself, in the form of Kubernetes. The reasons and codes are those of
 * k8s.io/apimachinery/pkg/api/errors. The two defaults apply to types that are not listed.
 */
const ANSWERS: readonly Answer[] = [
  answer(ResponseType.UNAUTHORIZED, 401, 'Unauthorized', 'Unauthorized'),
  // The authorizer's context holds the ARN, which has no characters that need escaping.
  answer(
    ResponseType.ACCESS_DENIED,
    403,
    'Forbidden',
    'forbidden: User "$context.authorizer.principal" may not log in to this deployment',
  ),
  forbidden(ResponseType.EXPIRED_TOKEN),
  forbidden(ResponseType.INVALID_API_KEY),
  forbidden(ResponseType.INVALID_SIGNATURE),
  forbidden(ResponseType.WAF_FILTERED),
  // API Gateway's type for a method without a route, not for a request without a token.
  answer(
    ResponseType.MISSING_AUTHENTICATION_TOKEN,
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
  ),
  answer(
    ResponseType.RESOURCE_NOT_FOUND,
    404,
    'NotFound',
    'the server could not find the requested resource',
  ),
  answer(ResponseType.BAD_REQUEST_BODY, 400, 'BadRequest', 'the request body is invalid'),
  answer(ResponseType.BAD_REQUEST_PARAMETERS, 400, 'BadRequest', 'the request parameters are invalid'),
  answer(
    ResponseType.REQUEST_TOO_LARGE,
    413,
    'RequestEntityTooLarge',
    'the request body exceeds the 10 MB that API Gateway accepts',
  ),
  answer(
    ResponseType.UNSUPPORTED_MEDIA_TYPE,
    415,
    'UnsupportedMediaType',
    'the body of the request was in an unknown format',
  ),
  tooMany(ResponseType.THROTTLED),
  tooMany(ResponseType.QUOTA_EXCEEDED),
  internal(ResponseType.API_CONFIGURATION_ERROR, 'the API is misconfigured'),
  unchecked(ResponseType.AUTHORIZER_CONFIGURATION_ERROR),
  unchecked(ResponseType.AUTHORIZER_FAILURE),
  died(ResponseType.INTEGRATION_FAILURE),
  answer(
    ResponseType.INTEGRATION_TIMEOUT,
    504,
    'Timeout',
    `Timeout: the request did not complete in time; ${UNKNOWN_OUTCOME}`,
  ),
  answer(ResponseType.DEFAULT_4XX, 400, 'BadRequest', 'the request was refused'),
  // API Gateway also uses this type for a Lambda function that fails.
  died(ResponseType.DEFAULT_5XX),
];

/** A Kubernetes `Status` object. */
function status({ code, reason, message, retryAfter }: Answer): string {
  return JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(retryAfter && { details: { retryAfterSeconds: retryAfter } }),
    code,
  });
}

/** Adds these answers to a REST API. */
export function addGatewayResponses(rest: RestApi): void {
  for (const one of ANSWERS) {
    rest.addGatewayResponse(`Answer${one.type.responseType}`, {
      type: one.type,
      statusCode: String(one.code),
      responseHeaders: {
        'Audit-Id': 'context.requestId',
        ...(one.retryAfter && { 'Retry-After': `'${one.retryAfter}'` }),
      },
      templates: { 'application/json': status(one) },
    });
  }
}
