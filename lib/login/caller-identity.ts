import { type Principal, parsePrincipal } from './principal.ts';

/**
 * Parses STS' answer to GetCallerIdentity. Returns undefined where it is not as documented, or where the account of
 * the ARN differs from the answer's.
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
 */
export function parseCallerIdentity(xml: string): Principal | undefined {
  if (!/^\s*(?:<\?xml[^>]*\?>\s*)?<GetCallerIdentityResponse[\s>]/.test(xml)) return undefined;
  const [arn, account, userId] = ['Arn', 'Account', 'UserId'].map((name) => only(xml, name));
  const principal = parsePrincipal(arn ?? '');
  return userId !== undefined && principal?.account === account ? principal : undefined;
}

/** The text of the only element of that name. Escaped characters do not match: no accepted ARN contains any. */
function only(xml: string, name: string): string | undefined {
  const [found, ...more] = xml.matchAll(new RegExp(`<${name}>([^<>&\\s]+)</${name}>`, 'g'));
  return more.length === 0 ? found?.[1] : undefined;
}
