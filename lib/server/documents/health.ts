import type { ApiResponse } from '../http/index.ts';

/** A health check. It rejects if the check fails. The reason is not shown to the client. */
export type Probe = () => Promise<unknown>;

const HEADERS = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };

/** The health checks of a path: `{ ping, table }`. */
export type Probes = Readonly<Record<string, Probe>>;

/**
 * Serves `/healthz`, `/livez` and `/readyz` with `verbose` and `exclude`, in the words of kube-apiserver
 * (k8s.io/apiserver/pkg/server/healthz). The response is 200 and `ok`, or 500 and the result of each check.
 */
export async function serveHealth(
  path: string,
  query: URLSearchParams,
  probes: Probes,
): Promise<ApiResponse> {
  const name = path.slice(1);
  const excluded = new Set(query.getAll('exclude'));
  const lines = await Promise.all(
    Object.entries(probes).map(async ([check, probe]) => {
      if (excluded.has(check)) return `[+]${check} excluded: ok`;
      return probe().then(
        () => `[+]${check} ok`,
        () => `[-]${check} failed: reason withheld`,
      );
    }),
  );
  const unknown = [...excluded].filter((check) => !Object.hasOwn(probes, check)).map((check) => `"${check}"`);
  if (unknown.length > 0) {
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.join(', ')}`);
  }
  const told = lines.map((line) => `${line}\n`).join('');
  if (lines.some((line) => line.startsWith('[-]'))) {
    return { status: 500, headers: HEADERS, body: `${told}${name} check failed\n` };
  }
  return {
    status: 200,
    headers: HEADERS,
    body: query.has('verbose') ? `${told}${name} check passed\n` : 'ok',
  };
}
