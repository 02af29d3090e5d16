import { type Principal, parsePrincipal } from './principal.ts';

/**
 * Reads what STS answers to GetCallerIdentity; undefined where that is not as documented, or where the ARN is
 * of another account than the answer says.
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
 */
export function parseCallerIdentity(xml: string): Principal | undefined {
  if (!/^\s*(?:<\?xml[^>]*\?>\s*)?<GetCallerIdentityResponse[\s>]/.test(xml)) return undefined;
  const [arn, account, userId] = ['Arn', 'Account', 'UserId'].map((name) => only(xml, name));
  const principal = parsePrincipal(arn ?? '');
  return userId !== undefined && principal?.account === account ? principal : undefined;
}

/** The text of the only element of that name. An escaped character is in no ARN that we let in. */
function only(xml: string, name: string): string | undefined {
  const [found, ...more] = xml.matchAll(new RegExp(`<${name}>([^<>&\\s]+)</${name}>`, 'g'));
  return more.length === 0 ? found?.[1] : undefined;
}
