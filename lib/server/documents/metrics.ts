import type { ApiResponse } from '../http/index.ts';
import type { Probes } from './health.ts';
import { VERSION } from './version.ts';

const HEADERS = {
  'content-type': 'text/plain; version=0.0.4; charset=utf-8',
  'x-content-type-options': 'nosniff',
};

/**
 * Serves `/metrics` and `/metrics/slis` in the text format of Prometheus, with the names of kube-apiserver: the
 * version, and the result of each health check. Both are facts about Winnow as a whole. A counter would cover only the
 * process that answers. CloudWatch has the counters of all processes.
 *
 * @param checks the health checks by their path: `{ livez: { ping } }`
 */
export async function serveMetrics(
  path: string,
  checks: Readonly<Record<string, Probes>>,
): Promise<ApiResponse> {
  const results = Object.entries(checks).flatMap(([type, probes]) =>
    Object.entries(probes).map(async ([name, probe]) => {
      const value = await probe().then(
        () => 1,
        () => 0,
      );
      return `kubernetes_healthcheck{name="${name}",type="${type}"} ${value}\n`;
    }),
  );
  const health = [
    '# HELP kubernetes_healthcheck [STABLE] This metric records the result of a single healthcheck.\n',
    '# TYPE kubernetes_healthcheck gauge\n',
    ...(await Promise.all(results)),
  ];
  return { status: 200, headers: HEADERS, body: [...(path === '/metrics' ? BUILD : []), ...health].join('') };
}

const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } =
  VERSION;
const LABELS = {
  build_date: buildDate,
  compiler,
  git_commit: gitCommit,
  git_tree_state: gitTreeState,
  git_version: gitVersion,
  go_version: goVersion,
  major,
  minor,
  platform,
};
const BUILD = [
  "# HELP kubernetes_build_info [ALPHA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.\n",
  '# TYPE kubernetes_build_info gauge\n',
  `kubernetes_build_info{${Object.entries(LABELS)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')}} 1\n`,
];
