import { useMemo } from 'preact/hooks';
import type { KubeObject } from '../what-if/index.ts';
import { differenceOf } from './difference.ts';

const SIGNS = { added: '+', removed: '−', same: ' ', gap: ' ' } as const;
const WORDS = { added: 'added: ', removed: 'removed: ', same: '', gap: '' } as const;
/** The most lines that are shown. */
const MOST = 2_000;

interface DifferenceViewProps {
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
  readonly label: string;
}

/** Two states of an object, as the lines of YAML that differ. */
export function DifferenceView({ before, after, label }: DifferenceViewProps) {
  const lines = useMemo(() => differenceOf(before, after), [before, after]);
  if (lines.length === 0) return <p class="meta">Nothing differs, except fields that the server counts.</p>;
  return (
    <pre class="difference" aria-label={label} tabIndex={0} role="region">
      {lines.slice(0, MOST).map(({ how, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one difference keep their order
        <span key={at} class={`difference-line ${how}`}>
          <span aria-hidden="true" class="sign">
            {SIGNS[how]}
          </span>
          <span class="visually-hidden">{WORDS[how]}</span>
          {text}
          {'\n'}
        </span>
      ))}
      {lines.length > MOST && <span class="difference-line gap">{lines.length - MOST} more lines</span>}
    </pre>
  );
}
