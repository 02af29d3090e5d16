import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Clock } from '../../lib/platform/index.ts';
import {
  type Api,
  type ApiRequest,
  type ApiResponse,
  encodeError,
  methodNotAllowed,
  tooLarge,
} from '../../lib/server/index.ts';
import { inRequest } from '../request-context.ts';
import { bufferedDeadline, timeLeft } from '../time-left.ts';
import { AUDIT_ID } from './audit-id.ts';
import { collectLines } from './long-poll.ts';
import { type ServedRequest, toApiRequest, withoutCompression } from './to-api-request.ts';
import { type BufferedResponse, MAXIMUM_BUFFERED_BYTES, toProxyResult } from './to-proxy-result.ts';
import { type StreamedResult, toStreamedResult } from './to-streamed-result.ts';

export interface ServeOptions {
  readonly api: Api;
  readonly clock: Clock;
  /** The methods of this function. A request with another one means an error in the gateway's routes. */
  readonly methods: readonly string[];
  /** Called when the body of a streamed answer ends, which is after the handler has returned; with the error that ended it. */
  readonly over?: (error?: Error | null) => void;
}

/** The handler of a Lambda proxy integration. */
export type Serve<Result = APIGatewayProxyResult | StreamedResult> = (
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<Result>;

/** Serves the API with buffered answers; a watch is a long poll. */
export function serveBuffered(options: ServeOptions): Serve<APIGatewayProxyResult> {
  const serve = async (request: ServedRequest, context: Context) => {
    const ended = new AbortController();
    const signal = AbortSignal.any([bufferedDeadline(context, options.clock), ended.signal]);
    const response = await handle(options, request, signal);
    const whole = await buffer(request, response, { clock: options.clock, end: () => ended.abort() });
    return toProxyResult(withAuditID(whole, request));
  };
  return (event, context) => {
    const request = withoutCompression(toApiRequest(event));
    return inRequest(contextOf(request), () => serve(request, context));
  };
}

/** Serves the API with streamed answers; a watch stays open until its time ends or the client reads no more. */
export function serveStreamed(options: ServeOptions): Serve<StreamedResult> {
  const serve = async (request: ServedRequest, context: Context) => {
    const { clock } = options;
    const ended = new AbortController();
    const signal = AbortSignal.any([clock.deadline(timeLeft(context)), ended.signal]);
    const response = await handle(options, request, signal);
    const over = (error?: Error | null) => {
      ended.abort();
      options.over?.(error);
    };
    return toStreamedResult(withAuditID(response, request), { clock, over });
  };
  return (event, context) => {
    const request = toApiRequest(event);
    return inRequest(contextOf(request), () => serve(request, context));
  };
}

const contextOf = ({ auditID, user }: ServedRequest) => ({ auditID, user: user.username });

/** Adds the request's id, by which a client finds the request in the log and in the messages that it caused. */
function withAuditID<Response extends ApiResponse>(response: Response, { auditID }: ServedRequest): Response {
  return { ...response, headers: { ...response.headers, [AUDIT_ID]: auditID } };
}

async function handle(
  { api, methods }: ServeOptions,
  request: ServedRequest,
  signal: AbortSignal,
): Promise<ApiResponse> {
  return methods.includes(request.method)
    ? api.handle(request, signal)
    : encodeError(request, methodNotAllowed());
}

async function buffer(
  request: ApiRequest,
  response: ApiResponse,
  options: { clock: Clock; end: () => void },
): Promise<BufferedResponse> {
  const { body } = response;
  if (typeof body === 'string' || body instanceof Uint8Array) return { ...response, body };
  const { text, cut } = await collectLines(body, { ...options, maximumBytes: MAXIMUM_BUFFERED_BYTES });
  // A client can continue a cut stream of events, but not the initial objects, which have no order.
  if (cut && Number(request.query.get('resourceVersion') ?? 0) === 0) {
    const why = 'the current objects do not fit in one answer; list them with a limit, then watch from there';
    const { body: status, ...error } = encodeError(request, tooLarge(why));
    return { ...error, body: typeof status === 'string' ? status : '' };
  }
  return { ...response, body: text };
}
