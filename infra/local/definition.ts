import { ENTRY_POINT_METADATA, type FunctionName, functionNames } from '../../lib/platform/index.ts';
import type { FilterPattern } from './event-filter.ts';
import { createResolver, type Physical } from './intrinsics.ts';
import type { Template } from './template.ts';

export interface FunctionDefinition {
  readonly name: FunctionName;
  /** In ms. */
  readonly timeout: number;
  readonly memorySize: number;
  readonly environment: Readonly<Record<string, string>>;
}

export interface QueueSource {
  readonly functionName: FunctionName;
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly batchSize: number;
  readonly reportsFailures: boolean;
}

export interface StreamSource {
  readonly functionName: FunctionName;
  readonly streamArn: string;
  readonly batchSize: number;
  readonly startingPosition: 'TRIM_HORIZON' | 'LATEST';
  readonly filters: readonly FilterPattern[];
  readonly retries: number;
  /** In ms. */
  readonly maximumAge: number;
  readonly bisect: boolean;
  readonly failureQueueUrl: string | undefined;
}

export interface ScheduleDefinition {
  readonly functionName: FunctionName;
  /** In ms. */
  readonly every: number;
}

export interface Route {
  readonly functionName: FunctionName;
  readonly streams: boolean;
  /** Whether the authorizer checks its requests. */
  readonly authorized: boolean;
  /** In ms. */
  readonly timeout: number;
}

export interface AuthorizerDefinition {
  readonly functionName: FunctionName;
  /** The pattern of Authorization headers for which the authorizer is invoked. */
  readonly tokenSyntax: RegExp;
}

export interface GatewayAnswer {
  readonly status: number;
  /** Each value is a mapping expression of API Gateway: `'<text>'`, or `context.requestId`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The system that the template describes, with all names resolved. */
export interface Definition {
  readonly functions: ReadonlyMap<FunctionName, FunctionDefinition>;
  readonly queueSources: readonly QueueSource[];
  readonly streamSources: readonly StreamSource[];
  readonly schedules: readonly ScheduleDefinition[];
  readonly stage: string;
  readonly binaryMediaTypes: readonly string[];
  /**
   * Routes by key: an HTTP method, `ANY` for all other methods, or a method and a path (`POST /a/b`) that has its own
   * route.
   */
  readonly routes: ReadonlyMap<string, Route>;
  readonly authorizer: AuthorizerDefinition | undefined;
  /** API Gateway's own errors, by response type. */
  readonly answers: ReadonlyMap<string, GatewayAnswer>;
}

type Properties = Readonly<Record<string, unknown>>;

/**
 * Reads the definition from a template.
 *
 * @throws {Error} the template uses something that infra/local does not support
 */
export function readDefinition(template: Template, physical: ReadonlyMap<string, Physical>): Definition {
  const resolve = createResolver(physical);
  const all = (type: string) => Object.values(template.Resources).filter((one) => one.Type === type);
  const properties = (type: string) => all(type).map((one) => one.Properties ?? {});
  const mappings = properties('AWS::Lambda::EventSourceMapping').map((one) => resolve(one) as Properties);
  const queues = new Map([...physical.values()].map(({ ref, attributes }) => [attributes.Arn, ref]));
  const isStream = (mapping: Properties) => String(mapping.EventSourceArn).includes(':dynamodb:');
  return {
    functions: new Map(
      all('AWS::Lambda::Function').map(({ Properties = {}, Metadata }) => {
        const name = functionName(Metadata?.[ENTRY_POINT_METADATA]);
        return [name, readFunction(name, Properties, resolve)];
      }),
    ),
    queueSources: mappings.filter((one) => !isStream(one)).map((one) => readQueueSource(one, queues)),
    streamSources: mappings.filter(isStream).map((one) => readStreamSource(one, queues)),
    schedules: properties('AWS::Events::Rule').map((one) => readSchedule(resolve(one) as Properties)),
    stage: String(properties('AWS::ApiGateway::Stage')[0]?.StageName),
    binaryMediaTypes: (properties('AWS::ApiGateway::RestApi')[0]?.BinaryMediaTypes ?? []) as string[],
    routes: new Map(
      properties('AWS::ApiGateway::Method').map((one) => [routeKey(one, template), readRoute(one, resolve)]),
    ),
    authorizer: properties('AWS::ApiGateway::Authorizer').map((one) => readAuthorizer(one, resolve))[0],
    answers: new Map(
      properties('AWS::ApiGateway::GatewayResponse').map((one) => [
        String(one.ResponseType),
        readAnswer(one),
      ]),
    ),
  };
}

function functionName(value: unknown): FunctionName {
  const found = functionNames.find((name) => name === value);
  if (!found) throw new Error(`the template names a function ${value} that functions/ does not have`);
  return found;
}

/** The function's name at the end of its ARN, or in the URI of an integration. */
function functionOfArn(text: unknown): FunctionName {
  return functionName(/:function:([a-z-]+)/.exec(String(text))?.[1]);
}

function readFunction(
  name: FunctionName,
  one: Properties,
  resolve: (value: unknown) => unknown,
): FunctionDefinition {
  const { Variables = {} } = one.Environment as { Variables?: Record<string, unknown> };
  return {
    name,
    timeout: Number(one.Timeout) * 1_000,
    memorySize: Number(one.MemorySize),
    environment: resolve(Variables) as Record<string, string>,
  };
}

function readQueueSource(one: Properties, queues: ReadonlyMap<unknown, string>): QueueSource {
  const queueUrl = queues.get(one.EventSourceArn);
  if (!queueUrl) throw new Error(`no queue ${one.EventSourceArn}`);
  const types = (one.FunctionResponseTypes ?? []) as string[];
  return {
    functionName: functionName(one.FunctionName),
    queueUrl,
    queueArn: String(one.EventSourceArn),
    batchSize: Number(one.BatchSize ?? 10),
    reportsFailures: types.includes('ReportBatchItemFailures'),
  };
}

function readStreamSource(one: Properties, queues: ReadonlyMap<unknown, string>): StreamSource {
  const criteria = one.FilterCriteria as { Filters: { Pattern: string }[] } | undefined;
  const failure = one.DestinationConfig as { OnFailure: { Destination: string } } | undefined;
  return {
    functionName: functionName(one.FunctionName),
    streamArn: String(one.EventSourceArn),
    batchSize: Number(one.BatchSize ?? 100),
    startingPosition: one.StartingPosition === 'LATEST' ? 'LATEST' : 'TRIM_HORIZON',
    filters: (criteria?.Filters ?? []).map(({ Pattern }) => JSON.parse(Pattern)),
    retries: Number(one.MaximumRetryAttempts ?? -1),
    maximumAge: Number(one.MaximumRecordAgeInSeconds ?? -1) * 1_000,
    bisect: one.BisectBatchOnFunctionError === true,
    failureQueueUrl: queues.get(failure?.OnFailure.Destination),
  };
}

function readSchedule(one: Properties): ScheduleDefinition {
  const [target] = one.Targets as { Arn: string }[];
  const rate = /^rate\((\d+) minutes?\)$/.exec(String(one.ScheduleExpression));
  if (!rate) throw new Error(`infra/local does not support the schedule ${one.ScheduleExpression}`);
  return { functionName: functionOfArn(target?.Arn), every: Number(rate[1]) * 60_000 };
}

function readRoute(one: Properties, resolve: (value: unknown) => unknown): Route {
  const { Uri, ResponseTransferMode, TimeoutInMillis } = one.Integration as Properties;
  return {
    functionName: functionOfArn(resolve(Uri)),
    streams: ResponseTransferMode === 'STREAM',
    authorized: one.AuthorizationType === 'CUSTOM',
    timeout: Number(TimeoutInMillis ?? 29_000),
  };
}

/** The key of a route. The routes of the root and of `{proxy+}` are the same. */
function routeKey({ HttpMethod, ResourceId }: Properties, template: Template): string {
  const path = pathOf((ResourceId as { Ref?: string }).Ref, template);
  return path === '' || path === '/{proxy+}' ? String(HttpMethod) : `${HttpMethod} ${path}`;
}

/** The path of a resource; empty for the root, which is an attribute of the API and not a resource. */
function pathOf(resource: string | undefined, template: Template): string {
  const { ParentId, PathPart } = template.Resources[resource ?? '']?.Properties ?? {};
  if (PathPart === undefined) return '';
  return `${pathOf((ParentId as { Ref?: string }).Ref, template)}/${PathPart}`;
}

/** Finds the route of a request; `target` is its path with its query. */
export function findRoute({ routes }: Definition, method: string, target: string): Route | undefined {
  const [path = ''] = target.split('?', 1);
  return (
    routes.get(`${method} ${path}`) ??
    byParameters(routes, method, path) ??
    routes.get(method) ??
    routes.get('ANY')
  );
}

/** Finds the route of a path with parameters, such as `/a/{b}`. */
function byParameters(routes: Definition['routes'], method: string, path: string): Route | undefined {
  const parts = `${method} ${path}`.split('/');
  const isMeant = (wanted: string, index: number) =>
    wanted === parts[index] || (/^\{.*\}$/.test(wanted) && parts[index] !== '');
  for (const [key, route] of routes) {
    const wanted = key.includes('{') ? key.split('/') : [];
    if (wanted.length === parts.length && wanted.every(isMeant)) return route;
  }
  return undefined;
}

function readAuthorizer(one: Properties, resolve: (value: unknown) => unknown): AuthorizerDefinition {
  return {
    functionName: functionOfArn(resolve(one.AuthorizerUri)),
    tokenSyntax: new RegExp(String(one.IdentityValidationExpression)),
  };
}

function readAnswer(one: Properties): GatewayAnswer {
  const parameters = Object.entries((one.ResponseParameters ?? {}) as Record<string, string>);
  const templates = one.ResponseTemplates as Record<string, string>;
  return {
    status: Number(one.StatusCode),
    // `gatewayresponse.header.<name>`
    headers: Object.fromEntries(parameters.map(([key, value]) => [key.split('.')[2], value])),
    body: templates['application/json'] ?? '',
  };
}
