import { Aws, Duration, Fn, Lazy, Token } from 'aws-cdk-lib';
import { TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { type JwtIssuer, namedPrincipal, parseAuthenticationConfiguration } from '../../lib/login/index.ts';
import { ENVIRONMENT } from '../../lib/platform/index.ts';
import type { Gaps } from '../emulators.ts';
import { WinnowFunction } from './winnow-function.ts';

/** Hosts that on AWS lead nowhere: a stack that is deployed there by mistake lets nobody in. */
const LOOPBACK = /^https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/;
/** By this name LocalStack is known to the functions that it runs in containers, and elsewhere it is loopback. */
const LOCALSTACK = /^https?:\/\/localhost\.localstack\.cloud(?::\d{1,5})?$/;

/** Lambda takes 4 KB of environment in all: principals and issuers together. */
const MAXIMUM_BYTES = 3_000;

/** What tokens look like. */
const OF_AWS = 'k8s-aws-v1\\.[A-Za-z0-9_-]+';
const JWT = '[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+';

export interface LoginProps {
  readonly bundles: string;
  /** Begins the cluster id. */
  readonly prefix: string;
  /** ARNs of the principals that may do everything: users and roles, never one session of a role. */
  readonly principals: readonly string[];
  /** Who else is let in, to what roles and bindings give: such ARNs, and accounts, `own` being the stack's. */
  readonly members?: readonly string[] | undefined;
  /** Whose tokens are taken beside principals': an AuthenticationConfiguration as JSON text; nobody's, where it is absent. */
  readonly authenticationConfig?: string | undefined;
  /** Whether tokens of service accounts are taken. */
  readonly serviceAccountTokens?: boolean | undefined;
  /** An emulator's STS on loopback, `http://127.0.0.1:4566`. Whoever reaches it decides who gets in. */
  readonly stsEndpoint?: string | undefined;
  readonly gaps?: Gaps;
  readonly logLevel?: string | undefined;
}

/** Who gets in: the named principals, by the tokens of `aws eks get-token`; and whom the named issuers vouch for. */
export class Login extends Construct {
  /** What a token has to be made for: unique to this stack, or another one's tokens would do here. */
  readonly clusterId: string;
  /** What a function that asks for the login has to know. */
  readonly environment: Readonly<Record<string, string>>;
  /** Undefined where the gateway has no authorizers: then `read` and `write` ask by themselves. */
  readonly authorizer: TokenAuthorizer | undefined;
  /** What the authorizer runs. */
  readonly function: WinnowFunction | undefined;
  readonly #principals: string[];
  readonly #members: string[];
  readonly #issuers: string | undefined;

  constructor(scope: Construct, id: string, props: LoginProps) {
    super(scope, id);
    const { bundles, prefix, principals, members = [], stsEndpoint, logLevel, gaps = {} } = props;
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
      name: 'authorizer',
      description: 'asks STS whose token it is, and lets in who is named',
      // Two attempts of two seconds, and a cold start.
      timeout: Duration.seconds(8),
      memorySize: 256,
      environment: this.environment,
    });
    this.authorizer = new TokenAuthorizer(this, 'Gateway', {
      handler: this.function.function,
      validationRegex: `^[Bb]earer +${takesJwt ? `(?:${OF_AWS}|${JWT})` : OF_AWS}$`,
      // A token is refused a minute before STS would, so that a kept answer does not outlive it. Of a JWT the functions
      // know when it ends.
      resultsCacheTtl: Duration.minutes(1),
    });
  }

  /** Lets one more do everything: a role of the same app, whose ARN is known when it is deployed. */
  allow(arn: string): void {
    this.#principals.push(arn);
  }

  /** Lets one more in, to what roles and bindings give. */
  admit(arn: string): void {
    this.#members.push(arn);
  }

  /**
   * Both lists, as the functions read them; no list where there are no members.
   *
   * @throws {Error} with the issuers they are too long for a function's environment
   */
  #names(): { readonly principals: string; readonly members: string | undefined } {
    const principals = listed(this.#principals.map(canonical));
    const members = this.#members.length === 0 ? undefined : listed(this.#members.map(memberName));
    const bytes = Buffer.byteLength(`${principals}${members ?? ''}${this.#issuers ?? ''}`);
    if (bytes > MAXIMUM_BYTES) {
      throw new Error(`the principals, members and issuers take ${bytes} bytes of ${MAXIMUM_BYTES}, as JSON`);
    }
    return { principals, members };
  }
}

function checkEndpoint(endpoint: string | undefined, { authorizer }: Gaps): void {
  if (endpoint === undefined || LOOPBACK.test(endpoint)) return;
  if (authorizer && LOCALSTACK.test(endpoint)) return;
  throw new Error(`stsEndpoint is for emulators on loopback only, and ${endpoint} is not one`);
}

/** @throws {Error} it is no configuration that is served. */
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
 * The ARN of an IAM user or role as the login spells it; a token of the CDK stays as it is.
 *
 * @throws {Error} it is no such ARN
 */
export function canonical(text: string): string {
  if (Token.isUnresolved(text)) return text;
  const principal = namedPrincipal(text);
  if ('fault' in principal) throw new Error(`${text} ${principal.fault}`);
  return principal.arn;
}
