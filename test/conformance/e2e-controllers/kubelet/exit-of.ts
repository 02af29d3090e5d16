import type { V1Container, V1Pod } from '@kubernetes/client-node';

const INDEX = 'batch.kubernetes.io/job-completion-index';
/** A shell that ends with a number: `sh -c "echo x; exit 1"`. */
const EXIT = /(?:^|-c |; *|&& *)exit (\d+)$/;
const PROGRAMS: Readonly<Record<string, number>> = { '/bin/true': 0, true: 0, '/bin/false': 1, false: 1 };

/** The marker files that commands of the suite leave on a node's disk, by the volume. */
export type Markers = Set<string>;

/**
 * The exit code that a container's command would have; undefined if it runs until it is stopped. It knows the commands
 * of the listed tests: https://github.com/kubernetes/kubernetes/blob/v1.33.2/test/e2e/framework/job/fixtures.go
 */
export function exitOf(container: V1Container, pod: V1Pod, markers: Markers): number | undefined {
  const line = [...(container.command ?? []), ...(container.args ?? [])].join(' ').trim();
  if (line.includes('-r /data/foo')) return exitByMarker(line, pod, markers);
  if (line.includes('JOB_COMPLETION_INDEX} % 2')) return Number(pod.metadata?.annotations?.[INDEX] ?? 0) % 2;
  if (line.includes('$RANDOM')) return Math.random() < 0.5 ? 0 : 1;
  const [, code] = EXIT.exec(line) ?? [];
  if (code !== undefined && !line.includes('sleep')) return Number(code);
  // A shell without input ends at once.
  if (line === '' && container.image?.includes('busybox')) return 0;
  return PROGRAMS[line];
}

/** The exit code of a command that creates a marker file and fails or sleeps, and succeeds if the file exists. */
function exitByMarker(line: string, { metadata, spec }: V1Pod, markers: Markers): number | undefined {
  const host = spec?.volumes?.find(({ hostPath }) => hostPath !== undefined)?.hostPath?.path;
  const index = line.includes('$JOB_COMPLETION_INDEX') ? metadata?.annotations?.[INDEX] : '';
  const marker = `${host ?? metadata?.uid} ${index}`;
  if (markers.has(marker)) return 0;
  markers.add(marker);
  const [, code] = /exit ([1-9]\d*)/.exec(line) ?? [];
  return line.includes('sleep') ? undefined : Number(code);
}
