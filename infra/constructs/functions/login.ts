import { Aws, Duration, Fn, Lazy, Token } from 'aws-cdk-lib';
import { TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import {
  type JwtIssuer,
  namedPrincipal,
  parseAuthenticationConfiguration,
} from '../../../lib/login/index.ts';
import { ENVIRONMENT } from '../../../lib/platform/index.ts';
import type { Gaps } from '../../emulators.ts';
import { WinnowFunction } from './winnow-function.ts';

/** Hosts that do not exist on AWS: no login succeeds in a stack that is deployed to AWS with one by mistake. */
const LOOPBACK = /^https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/;
/** The name of LocalStack in the containers of its functions; elsewhere the name resolves to loopback. */
const LOCALSTACK = /^https?:\/\/localhost\.localstack\.cloud(?::\d{1,5})?$/;

/** The limit for principals, members and issuers together. Lambda's limit for a whole environment is 4 KB. */
const MAXIMUM_BYTES = 3_000;

/** Patterns of tokens. */
const OF_AWS = 'k8s-aws-v1\\.[A-Za-z0-9_-]+';
const JWT = '[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+';

export interface LoginProps {
  readonly bundles: string;
  /** The prefix of the cluster id. */
  readonly prefix: string;
  /** ARNs of the principals that may do everything: users and roles, never one session of a role. */
  readonly principals: readonly string[];
  /** ARNs and accounts that may log in with the rights of roles and bindings; `own` is the stack's account. */
  readonly members?: readonly string[] | undefined;
  /** Issuers whose tokens are accepted in addition: an AuthenticationConfiguration as JSON text. */
  readonly authenticationConfig?: string | undefined;
  /** Whether tokens of service accounts are accepted. */
  readonly serviceAccountTokens?: boolean | undefined;
  /** An emulator's STS on loopback, `http://127.0.0.1:4566`. It decides which logins succeed. */
  readonly stsEndpoint?: string | undefined;
  readonly gaps?: Gaps;
  readonly logLevel?: string | undefined;
  /** Whether functions publish metrics. */
  readonly metrics: boolean;
}

/** The login: named principals with tokens of `aws eks get-token`, and users with tokens of named issuers. */
export class Login extends Construct {
  /** The cluster that a token must be signed for. It is unique, so that tokens for another stack are refused. */
  readonly clusterId: string;
  /** The environment of a function that authenticates requests. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Undefined if the gateway supports no authorizers. Then the functions behind it authenticate requests themselves.
   */
  readonly authorizer: TokenAuthorizer | undefined;
  /** The function of the authorizer. */
  readonly function: WinnowFunction | undefined;
  readonly #principals: string[];
  readonly #members: string[];
  readonly #issuers: string | undefined;

  constructor(scope: Construct, id: string, props: LoginProps) {
    super(scope, id);
    const { bundles, prefix, principals, members = [], stsEndpoint, logLevel, metrics, gaps = {} } = props;
    const issuers = issuersOf(props);
    this.#issuers = issuers;
    const takesJwt = issuers !== undefined || props.serviceAccountTokens === true;
    checkEndpoint(stsEndpoint, gaps);
    this.#principals = [...principals];
    this.#members = [...members];
    this.#names();
    // arn:…:stack/<name>/<a UUID>
    this.clusterId = Fn.join('-', [prefix, Fn.select(2, Fn.split('/', Aws.STACK_ID))]);
    this.environment = {
      [ENVIRONMENT.clusterId]: this.clusterId,
      [ENVIRONMENT.partition]: Aws.PARTITION,
      [ENVIRONMENT.principals]: Lazy.string({ produce: () => this.#names().principals }),
      [ENVIRONMENT.members]: Lazy.string({ produce: () => this.#names().members }),
      ...(stsEndpoint === undefined ? {} : { [ENVIRONMENT.stsEndpoint]: stsEndpoint }),
      ...(issuers === undefined ? {} : { [ENVIRONMENT.issuers]: issuers }),
    };
    if (gaps.authorizer) return;
    this.function = new WinnowFunction(this, 'Authorizer', {
      bundles,
      logLevel,
      metrics,
      name: 'authorizer',
      description: 'authenticates tokens with STS or issuers, and decides who may log in',
      // Two attempts of two seconds, and a cold start.
      timeout: Duration.seconds(8),
      memorySize: 256,
      environment: this.environment,
    });
    this.authorizer = new TokenAuthorizer(this, 'Gateway', {
      handler: this.function.function,
      validationRegex: `^[Bb]earer +${takesJwt ? `(?:${OF_AWS}|${JWT})` : OF_AWS}$`,
      // The authorizer refuses a token a minute before STS would, so a cached answer does not outlive it. For a JWT,
      // the functions know the time of its expiry.
      resultsCacheTtl: Duration.minutes(1),
    });
  }

  /** Adds an administrator, such as a role of the same app, whose ARN is known only at deployment. */
  allow(arn: string): void {
    this.#principals.push(arn);
  }

  /** Adds a principal that may log in with the rights of roles and bindings. */
  admit(arn: string): void {
    this.#members.push(arn);
  }

  /**
   * The principals and members in the form that the functions read; `members` is undefined without members.
   *
   * @throws {Error} principals, members and issuers together are too long for a function's environment
   */
  #names(): { readonly principals: string; readonly members: string | undefined } {
    const principals = listed(this.#principals.map(canonical));
    const members = this.#members.length === 0 ? undefined : listed(this.#members.map(memberName));
    const bytes = Buffer.byteLength(`${principals}${members ?? ''}${this.#issuers ?? ''}`);
    if (bytes > MAXIMUM_BYTES) {
      throw new Error(
        `principals, members and issuers take ${bytes} bytes as JSON; the limit is ${MAXIMUM_BYTES}`,
      );
    }
    return { principals, members };
  }
}

function checkEndpoint(endpoint: string | undefined, { authorizer }: Gaps): void {
  if (endpoint === undefined || LOOPBACK.test(endpoint)) return;
  if (authorizer && LOCALSTACK.test(endpoint)) return;
  throw new Error(`stsEndpoint is ${endpoint}: it must be an emulator on loopback`);
}

/** @throws {Error} the configuration is invalid or not supported. */
function issuersOf({ authenticationConfig }: LoginProps): string | undefined {
  if (authenticationConfig === undefined) return undefined;
  const issuers: readonly JwtIssuer[] = parseAuthenticationConfiguration(JSON.parse(authenticationConfig));
  return JSON.stringify(issuers);
}

function listed(names: readonly string[]): string {
  return JSON.stringify([...new Set(names)]);
}

function memberName(text: string): string {
  if (text === 'own') return Aws.ACCOUNT_ID;
  return /^\d{12}$/.test(text) ? text : canonical(text);
}

/**
 * The ARN of an IAM user or role in the form that the login uses. A token of the CDK does not change.
 *
 * @throws {Error} it is not the ARN of an IAM user or role
 */
export function canonical(text: string): string {
  if (Token.isUnresolved(text)) return text;
  const principal = namedPrincipal(text);
  if ('fault' in principal) throw new Error(`${text} ${principal.fault}`);
  return principal.arn;
}
