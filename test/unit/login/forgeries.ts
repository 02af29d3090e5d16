import type { Check } from '../../../lib/login/index.ts';
import {
  decodeToken,
  EXAMPLE_CREDENTIALS,
  eksToken,
  encodeToken,
  type SigningOptions,
} from '../../support/login/eks-token.ts';

export interface Forgery {
  /** The check that rejects it, and the only one. */
  readonly check: Check;
  readonly what: string;
  /** The token, made from the parts of a valid one. */
  readonly forge: (good: SigningOptions) => Promise<string>;
}

/** Signed like a valid token, except for the given changes. */
function signed(check: Check, what: string, changes: Partial<SigningOptions>): Forgery {
  return { check, what, forge: (good) => eksToken({ ...good, ...changes }) };
}

/** A valid token whose URL is changed afterwards: the signature stays that of the valid one. */
function edited(check: Check, what: string, edit: (url: string) => string): Forgery {
  return { check, what, forge: async (good) => encodeToken(edit(decodeToken(await eksToken(good)))) };
}

function respelled(check: Check, what: string, edit: (token: string) => string): Forgery {
  return { check, what, forge: async (good) => edit(await eksToken(good)) };
}

const set = (name: string, value: string) => (url: string) =>
  url.replace(new RegExp(`([?&])${name}=[^&]*`), `$1${name}=${value}`);

const without = (name: string) => (url: string) =>
  url.replace(new RegExp(`([?&])${name}=[^&]*&?`), '$1').replace(/&$/, '');

const REQUIRED =
  'Action Version X-Amz-Algorithm X-Amz-Credential X-Amz-Date X-Amz-Expires X-Amz-SignedHeaders X-Amz-Signature'.split(
    ' ',
  );

const HOSTS = [
  'sts.amazonaws.com.example.com',
  'example.com',
  'sts.eu-west-1.amazonaws.com.',
  'sts.us-nowhere-1.amazonaws.com',
  'sts.s3.amazonaws.com',
  'ec2.eu-west-1.amazonaws.com',
  'sts.cn-north-1.amazonaws.com.cn',
  '127.0.0.1',
];

const temporary = (sessionToken: string) => ({ credentials: { ...EXAMPLE_CREDENTIALS, sessionToken } });

export const FORGERIES: readonly Forgery[] = [
  signed('length', 'longer than EKS takes', temporary('A'.repeat(3_000))),
  respelled('prefix', 'of another version', (token) => token.replace('v1', 'v2')),
  respelled('prefix', 'with a blank before', (token) => ` ${token}`),
  respelled('encoding', 'padded', (token) => `${token}=`),
  respelled('encoding', 'with a line break', (token) => `${token}\n`),
  respelled('encoding', 'of nothing', () => 'k8s-aws-v1.'),
  edited('url', 'over plain HTTP', (url) => url.replace('https:', 'http:')),
  edited('url', 'of a local file', (url) => url.replace('https:', 'file:')),
  edited('url', 'with a user', (url) => url.replace('://', '://user@')),
  edited('url', 'with a port', (url) => url.replace('.com/', '.com:443/')),
  edited('url', 'with a path', (url) => url.replace('/?', '/path?')),
  edited('url', 'with a fragment', (url) => `${url}#x`),
  edited('url', 'with a backslash', (url) => url.replace('.com/', '.com\\/')),
  edited('url', 'with a tab, which URL parsers drop', (url) => url.replace('sts', 's\tts')),
  edited('url', 'with a host in capitals', (url) => url.replace('sts', 'STS')),
  edited('url', 'with bytes that are no ASCII', (url) => `${url}\u00e9`),
  ...HOSTS.map((host) => signed('host', `for ${host}`, { host })),
  ...REQUIRED.map((name) => edited('parameters', `without ${name}`, without(name))),
  edited('parameters', 'with one that is not known', (url) => `${url}&RoleArn=x`),
  edited('parameters', 'with one in another case beside it', (url) => `${url}&action=GetCallerIdentity`),
  edited('parameters', 'with one that has two values', (url) => `${url}=x`),
  edited('parameters', 'with one that has none', (url) => `${url}&X-Amz-Security-Token`),
  edited('parameters', 'with a broken escape', set('Version', '%E0%A4')),
  edited('duplicates', 'with the same twice', (url) => `${url}&Version=2011-06-15`),
  signed('action', 'for GetSessionToken', { action: 'GetSessionToken' }),
  edited('action', 'with two actions in one', set('Action', 'GetCallerIdentity%26Action%3DAssumeRole')),
  edited('version', 'of another version', set('Version', '2012-06-15')),
  edited('algorithm', 'by another algorithm', set('X-Amz-Algorithm', 'AWS4-ECDSA-P256-SHA256')),
  edited('signed-headers', 'for no cluster', set('X-Amz-SignedHeaders', 'host')),
  signed('signed-headers', 'with a header that nobody sent', { headers: { 'x-other': 'x' } }),
  ...['0', '901', '99999', '60s', '-60', ''].map((value) =>
    edited('expires', `for "${value}" seconds`, set('X-Amz-Expires', value)),
  ),
  ...['20261321T150710Z', '20260230T150710Z', '2026-11-21T15:07:10Z', '20261121'].map((date) =>
    edited('date', `of ${date}`, set('X-Amz-Date', date.replaceAll(':', '%3A'))),
  ),
  signed('credential', 'for another service', { service: 'ec2' }),
  signed('credential', "for another region than its host's", {
    region: 'us-east-1',
    host: 'sts.eu-west-1.amazonaws.com',
  }),
  edited('credential', 'of another day', (url) => url.replace(/%2F\d{8}%2F/, '%2F20200101%2F')),
  edited('credential', 'with more in it', (url) => url.replace('%2Fsts%2F', '%2Fsts%2Fx%2F')),
  edited(
    'credential',
    'without a key',
    set('X-Amz-Credential', '%2F20261121%2Feu-west-1%2Fsts%2Faws4_request'),
  ),
  signed('security-token', 'with a header hidden in it', temporary('x\r\nx-k8s-aws-id: other')),
  edited('signature', 'with half a signature', (url) => url.slice(0, -32)),
  edited('signature', 'signed in capitals', (url) =>
    url.replace(/[0-9a-f]{64}$/, (hex) => hex.toUpperCase()),
  ),
];
