import { CONFIG_MAPS, DEFINITIONS, type FuzzRequest, PODS, type Shape } from './fuzz-request.ts';
import type { FuzzedApi } from './fuzzed-api.ts';
import { mutatedRequest } from './mutated.ts';

/** What is looked at after a refusal. */
const LOOKED_AT = [CONFIG_MAPS, PODS, DEFINITIONS];

export interface MutatedOutcome {
  readonly shape: string;
  readonly status: number;
  readonly cpu: number;
  /** What is wrong; absent where all is well. */
  readonly fault?: string;
}

/** Sends the damaged request of a seed, and looks whether it failed, or changed something though it was refused. */
export async function sendMutated(
  api: FuzzedApi,
  shapes: readonly Shape[],
  seed: number,
): Promise<MutatedOutcome> {
  const { shape, request } = mutatedRequest(shapes, seed);
  const before = await lookAt(api, request);
  const { status, body, cpu } = await api.send(request);
  const outcome = { shape: shape.name, status, cpu };
  if (status >= 500) return { ...outcome, fault: `it was answered with ${status}: ${body.slice(0, 300)}` };
  if (status >= 400 && (await lookAt(api, request)) !== before) {
    return { ...outcome, fault: `it was refused with ${status} and changed something` };
  }
  return outcome;
}

async function lookAt(api: FuzzedApi, { method, path }: FuzzRequest): Promise<string> {
  if (method === 'GET' || path.includes('dryRun=All')) return '';
  const seen = await Promise.all(
    LOOKED_AT.map((collection) => api.send({ method: 'GET', path: collection })),
  );
  return seen.map(({ body }) => JSON.stringify(JSON.parse(body).items)).join('\n');
}
