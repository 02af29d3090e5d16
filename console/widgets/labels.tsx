import { valueText } from '../selector/index.ts';

interface LabelsProps {
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Keys that come first. */
  readonly first?: readonly string[];
  /** Keys whose labels changed a moment ago, and how. */
  readonly marked?: readonly string[];
  readonly how?: 'enter' | 'change' | 'leave';
}

/** The labels of an object as chips: the key in a weaker color than the value. */
export function Labels({ labels = {}, first = [], marked = [], how = 'change' }: LabelsProps) {
  // Keys with a prefix belong to programs, and come last.
  const rank = (key: string) => {
    const at = [...marked, ...first].indexOf(key);
    return at === -1 ? marked.length + first.length + (key.includes('/') ? 1 : 0) : at;
  };
  const keys = Object.keys(labels).sort((one, other) => rank(one) - rank(other));
  return (
    <span class="labels">
      {keys.map((key) => (
        <span key={key} class={marked.includes(key) ? `chip ${how}` : 'chip'} title={`${key}=${labels[key]}`}>
          <span class="chip-key">{key} </span>
          {valueText(labels[key])}
        </span>
      ))}
    </span>
  );
}
