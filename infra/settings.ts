import type { Node } from 'constructs';
import { type Derivable, readDerivable, readServiceRange, readWatchCap } from '../lib/platform/index.ts';
import { type Provisioned, readBilling } from './billing.ts';

/** What a deployer chooses. Nothing here opens a route: there is a login in front of each, always. */
export interface Settings {
  readonly stackName: string;
  /** Begins the names of queues made for subscriptions; lower case, unique in account and region. */
  readonly prefix: string;
  /** Whether a GET streams its answer; without it a watch is a long poll. */
  readonly streaming: boolean;
  /** ARNs of the principals that may do everything; undefined: whoever deploys. */
  readonly principals: readonly string[] | undefined;
  /** Who else is let in, to what roles and bindings give: ARNs and accounts, `own` being the stack's; undefined: nobody. */
  readonly members: readonly string[] | undefined;
  /** The emulator that this is for: see `emulators.ts`. */
  readonly emulator: string | undefined;
  /** Its STS, on loopback. */
  readonly stsEndpoint: string | undefined;
  /** For stacks that are tried out: the table goes with the stack, with everything in it. */
  readonly destroyable: boolean;
  /** Whether there is a dashboard: beyond three in an account they are paid for. */
  readonly dashboard: boolean;
  /** Whether pods are bound to nodes as they come. */
  readonly placement: boolean;
  /** Whose pods are bound: those that say so in `spec.schedulerName`; undefined: `winnow`. */
  readonly schedulerName: string | undefined;
  /** A file that holds a node affinity which every pod has besides its own, YAML or JSON. */
  readonly addedAffinity: string | undefined;
  /** What a required affinity of a pod that runs counts for, 0 to 100; undefined: 1. */
  readonly hardPodAffinityWeight: number | undefined;
  /** From which level on the functions log; undefined: `INFO`. */
  readonly logLevel: string | undefined;
  /** What is derived from objects; nothing where it is empty. */
  readonly derived: readonly Derivable[];
  /** The network of the addresses of Services; undefined: `10.96.0.0/12`. */
  readonly serviceClusterIPRange: string | undefined;
  /** The ARN of the stream of a table that is there already; undefined: the stack has a table of its own. */
  readonly tableStream: string | undefined;
  /** `managed`, or the ARN of a KMS key: of table and queues; undefined: keys of AWS'. */
  readonly key: string | undefined;
  /** A file that holds an audit policy, YAML or JSON; undefined: nothing is written down of requests. */
  readonly auditPolicy: string | undefined;
  /** The ARN of a queue that is sent the same; undefined: the log alone has it. */
  readonly auditQueue: string | undefined;
  /** A file that holds an AuthenticationConfiguration, YAML or JSON; undefined: principals of AWS alone are let in. */
  readonly authenticationConfig: string | undefined;
  /** Whether service accounts get tokens. */
  readonly serviceAccountTokens: boolean;
  /** Whether the deployment tries itself every minute. */
  readonly canary: boolean;
  /** How many watches one user may have open at once; undefined: any number. */
  readonly watchesPerUser: number | undefined;
  /** Capacity that is paid for by the hour; undefined: every request is paid for by itself. */
  readonly provisioned: Provisioned | undefined;
}

/** Every name that is asked for, `billing.ts`' among them. docs/deploy/README.md says what each one chooses. */
const NAMES: ReadonlySet<string> = new Set([
  'stackName',
  'prefix',
  'principals',
  'members',
  'streaming',
  'destroyable',
  'dashboard',
  'placement',
  'schedulerName',
  'addedAffinity',
  'hardPodAffinityWeight',
  'logLevel',
  'derived',
  'serviceClusterIPRange',
  'tableStream',
  'key',
  'auditPolicy',
  'auditQueue',
  'authenticationConfig',
  'serviceAccountTokens',
  'canary',
  'watchesPerUser',
  'billing',
  'readCapacity',
  'writeCapacity',
  'targetUtilization',
  'emulator',
  'stsEndpoint',
]);

/** Those that Powertools knows. */
const LOG_LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'CRITICAL', 'SILENT'];

/**
 * Reads the context, `-c name=value` or cdk.json.
 *
 * @throws {Error} a value that is not understood: a typo must not choose.
 */
export function readSettings(node: Node): Settings {
  const text = (name: string): string | undefined => {
    const value: unknown = node.tryGetContext(name);
    if (value === undefined || (typeof value === 'string' && value !== '')) return value;
    throw new Error(`the context ${name} is ${JSON.stringify(value)}, and not a text`);
  };
  const stackName = text('stackName') ?? 'Winnow';
  return {
    stackName,
    prefix: text('prefix') ?? stackName.toLowerCase(),
    streaming: flag(node, 'streaming', true),
    principals: list(node.tryGetContext('principals')),
    members: list(node.tryGetContext('members')),
    emulator: text('emulator'),
    stsEndpoint: text('stsEndpoint'),
    destroyable: flag(node, 'destroyable', false),
    dashboard: flag(node, 'dashboard', true),
    placement: flag(node, 'placement', false),
    schedulerName: text('schedulerName'),
    addedAffinity: text('addedAffinity'),
    hardPodAffinityWeight: weight(node, 'hardPodAffinityWeight'),
    logLevel: logLevel(text('logLevel')),
    derived: readDerivable(list(node.tryGetContext('derived')) ?? []),
    serviceClusterIPRange: addressRange(text('serviceClusterIPRange')),
    tableStream: text('tableStream'),
    key: text('key'),
    auditPolicy: text('auditPolicy'),
    auditQueue: text('auditQueue'),
    authenticationConfig: text('authenticationConfig'),
    serviceAccountTokens: flag(node, 'serviceAccountTokens', false),
    canary: flag(node, 'canary', false),
    watchesPerUser: watchCap(node.tryGetContext('watchesPerUser')),
    provisioned: readBilling(node),
  };
}

/** Names in the context that could be meant for us, and are no setting. The CDK's own are of more than letters. */
export function unknownSettings(node: Node): string[] {
  return Object.keys(node.getAllContext()).filter((name) => /^[A-Za-z]+$/.test(name) && !NAMES.has(name));
}

function flag(node: Node, name: string, otherwise: boolean): boolean {
  const value: unknown = node.tryGetContext(name) ?? otherwise;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new Error(`the context ${name} is ${JSON.stringify(value)}, and neither true nor false`);
}

function weight(node: Node, name: string): number | undefined {
  const value: unknown = node.tryGetContext(name);
  if (value === undefined) return undefined;
  const number = Number(value === '' ? Number.NaN : value);
  if (Number.isInteger(number) && number >= 0 && number <= 100) return number;
  throw new Error(`the context ${name} is ${JSON.stringify(value)}, and not a whole number from 0 to 100`);
}

function logLevel(text: string | undefined): string | undefined {
  if (text === undefined || LOG_LEVELS.includes(text)) return text;
  throw new Error(`the context logLevel is ${text}, and none of ${LOG_LEVELS.join(', ')}`);
}

/** A text on the command line, a number in cdk.json. @throws {Error} it is none */
function watchCap(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  return readWatchCap(typeof value === 'number' ? value : String(value));
}

/** @throws {Error} it is none */
function addressRange(text: string | undefined): string | undefined {
  if (text !== undefined) readServiceRange(text);
  return text;
}

/** A list in cdk.json, a text with commas on the command line. */
function list(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const items: unknown[] = Array.isArray(value) ? value : String(value).split(',');
  return items.map((item) => String(item).trim()).filter((item) => item !== '');
}
