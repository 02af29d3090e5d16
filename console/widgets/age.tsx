import { signal } from '@preact/signals';

/** The time in ms since 1970, each second anew. */
export const now = signal(Date.now());
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, 1_000);

/** The units in seconds, with the least age at which kubectl shows only them. */
const UNITS = [
  { name: 'y', size: 365 * 86_400, from: 8 * 365 * 86_400 },
  { name: 'd', size: 86_400, from: 2 * 86_400 },
  { name: 'h', size: 3_600, from: 3 * 3_600 },
  { name: 'm', size: 60, from: 120 },
] as const;

/** The time between two moments in ms as a short text: `12s`, `5m`, `4h`, `2d`. */
export function ageOf(from: number, to: number): string {
  const seconds = Math.max(0, Math.floor((to - from) / 1_000));
  const unit = UNITS.find(({ from: least }) => seconds >= least);
  return unit === undefined ? `${seconds}s` : `${Math.floor(seconds / unit.size)}${unit.name}`;
}

/** The age of a moment in RFC 3339, which grows on the page. */
export function Age({ since }: { readonly since: string | undefined }) {
  if (since === undefined) return null;
  const moment = new Date(since);
  return (
    <time dateTime={since} title={moment.toLocaleString()}>
      {ageOf(moment.getTime(), now.value)}
    </time>
  );
}
