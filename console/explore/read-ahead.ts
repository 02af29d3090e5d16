import { useEffect, useMemo } from 'preact/hooks';
import { type KindInfo, pointAt, type Row } from '../api/index.ts';
import { openText, route } from '../route/index.ts';

/** The time that the pointer or the focus rests on a row before its object is read, in ms. */
const RESTING = 120;

/**
 * Returns a function that takes the row on which the pointer or the focus is, or nothing. Once it has rested there, the
 * object is read for the drawer, one at a time. Secrets are not: the audit log would say that the user has read them.
 */
export function useReadAhead(kind: KindInfo): (row: Row | undefined) => void {
  const { rest, stop } = useMemo(() => resting(kind), [kind]);
  useEffect(() => stop, [stop]);
  return rest;
}

function resting(kind: KindInfo) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ending = new AbortController();
  const stop = () => {
    clearTimeout(timer);
    ending.abort();
  };
  const begin = async (row: Row, { signal }: AbortController) => {
    const { namespace = '', name } = row.metadata;
    if (route.value.open === openText({ kind: kind.id, namespace, name })) return;
    const { readAhead } = await import('../object/index.ts');
    if (!signal.aborted) signal.addEventListener('abort', readAhead(kind, row));
  };
  const rest = (row: Row | undefined) => {
    stop();
    if (row === undefined) return;
    pointAt(kind, row);
    if (kind.id === 'secrets' || !kind.verbs.includes('get')) return;
    ending = new AbortController();
    timer = setTimeout(() => void begin(row, ending).catch(() => {}), RESTING);
  };
  return { rest, stop };
}
