import { type JsonObject, objectAt } from '../../lib/json/index.ts';
import { Connection, openAccess } from '../connection/index.ts';
import type { CanReachOptions } from './options.ts';
import { readDestination, readEnd } from './read-ends.ts';

const REVIEWS = '/apis/winnow.dev/v1/reachabilityreviews';
const WORDS: Readonly<Record<string, string>> = { Allowed: 'yes', Denied: 'no' };

/** Prints whether NetworkPolicies allow a connection, and why in each direction. Sets exit code 1 unless they do. */
export async function canReach(from: string, to: string, options: CanReachOptions): Promise<void> {
  const { namespace, protocol, ipFamily } = options;
  const destination = readDestination(to, namespace);
  const spec = { from: readEnd(from, namespace), ...destination, protocol, ...(ipFamily && { ipFamily }) };
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  const connection = new Connection(openAccess(options), interrupted.signal);
  const body = { apiVersion: 'winnow.dev/v1', kind: 'ReachabilityReview', spec };
  const review = await connection.askInput('POST', REVIEWS, { body });
  const status = objectAt(review.status);
  process.stdout.write(
    options.output === 'json' ? `${JSON.stringify(review, undefined, 2)}\n` : inWords(status),
  );
  if (status.decision !== 'Allowed') process.exitCode = 1;
}

function inWords(status: JsonObject): string {
  const decision = String(status.decision);
  const [egress, ingress] = [objectAt(status.egress), objectAt(status.ingress)];
  return [
    WORDS[decision] ?? 'unspecified',
    `  egress   ${egress.message}`,
    `  ingress  ${ingress.message}`,
    '',
  ].join('\n');
}
