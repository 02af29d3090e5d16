/** Credentials of AWS, as the providers of the AWS SDK return them. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Only temporary credentials have it. */
  readonly sessionToken?: string | undefined;
  /** When AWS stops accepting them. */
  readonly expiration?: Date | undefined;
}

export interface SignTokenOptions {
  /** The output `ClusterId` of the stack. */
  readonly clusterId: string;
  readonly region: string;
  readonly credentials: AwsCredentials;
  /** The time of the signature; now by default. */
  readonly date?: Date | undefined;
  /** The host of STS; the regional one by default. */
  readonly host?: string | undefined;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
/** The parameters that `aws eks get-token` signs, too: STS accepts the request for 15 minutes in any case. */
const EXPIRES = '60';
const HEADERS = 'host;x-k8s-aws-id';

/**
 * Creates the token that `aws eks get-token --cluster-name <clusterId>` prints: a presigned request to STS
 * (GetCallerIdentity), signed with Web Crypto.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export async function signToken(options: SignTokenOptions): Promise<string> {
  const { clusterId, region, credentials, date = new Date(), host = stsHost(region) } = options;
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const time = date.toISOString().replace(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/sts/aws4_request`;
  const parameters = Object.entries({
    Action: 'GetCallerIdentity',
    Version: '2011-06-15',
    ...(sessionToken !== undefined && { 'X-Amz-Security-Token': sessionToken }),
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': EXPIRES,
    'X-Amz-SignedHeaders': HEADERS,
  }).map(([name, value]) => `${name}=${encode(value)}`);
  const headers = `host:${host}\nx-k8s-aws-id:${clusterId}\n`;
  const request = ['GET', '/', parameters.toSorted().join('&'), headers, HEADERS, hex(await sha256(''))].join(
    '\n',
  );
  const text = [ALGORITHM, time, scope, hex(await sha256(request))].join('\n');
  let key = bytes(`AWS4${secretAccessKey}`);
  for (const part of [...scope.split('/'), text]) key = await hmac(key, part);
  return `k8s-aws-v1.${base64url(`https://${host}/?${parameters.join('&')}&X-Amz-Signature=${hex(key)}`)}`;
}

/** The regional host of STS. */
export function stsHost(region: string): string {
  const suffix = region.startsWith('cn-')
    ? 'amazonaws.com.cn'
    : region.startsWith('eusc-')
      ? 'amazonaws.eu'
      : 'amazonaws.com';
  return `sts.${region}.${suffix}`;
}

type Bytes = Uint8Array<ArrayBuffer>;

function bytes(text: string): Bytes {
  return new TextEncoder().encode(text);
}

async function sha256(text: string): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes(text)));
}

async function hmac(secret: Bytes, text: string): Promise<Bytes> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(text)));
}

function hex(value: Bytes): string {
  return Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Encodes a value as AWS requires: `encodeURIComponent` leaves five more characters. */
function encode(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Encodes text of ASCII. */
function base64url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
