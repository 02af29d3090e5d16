import { valueText } from '../selector/index.ts';

type Labels = Readonly<Record<string, string>>;

/** How labels changed, in words such as `env: qa → dev, +track=canary, −tier`, and the keys that changed. */
export function labelDifference(
  before: Labels = {},
  after: Labels = {},
): { readonly words: string; readonly keys: readonly string[] } {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => before[key] !== after[key],
  );
  const words = keys.map((key) => {
    const [old, now] = [before[key], after[key]];
    const name = key.slice(key.indexOf('/') + 1);
    if (old === undefined) return `+${name}=${valueText(now)}`;
    return now === undefined ? `−${name}` : `${name}: ${valueText(old)} → ${valueText(now)}`;
  });
  return { words: words.join(', '), keys };
}
